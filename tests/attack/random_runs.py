#!/usr/bin/env python3
"""Random runs of NPB-MZ: whatever the configuration and the schedule, the norms are equal to the last bit.

random_runs.py SP-MZ BT-MZ LU-MZ [--count N] [--seconds T] [--seed S] [--jobs J] [--device cuda:0] [--json FILE]

Each run draws a program, a class or a grid of its own, a configuration that fits this machine, a schedule with options,
the exchange, graphs, the way of faces between devices, and how slow emulated devices are and which reach each other; it is compared with `1x1 static` of the same problem on the
host, and classes with their reference values. `--seconds` stops before `--count` runs are done. The same seed, machine
and programs give the same runs.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile
import time

import attack

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import record  # noqa: E402

# What a value of each kind of option may be; `x|auto` and `k|chunk` name them in the list of schedules.
CHUNKS = [1, 2, 3, 4, 5, 8, 16, 40]
FACTORS = [0.2, 0.5, 1, 2, 3, 7.5, 40, 500]
SLOWDOWNS = [1, 1, 1, 2, 3, 8]
# Emulated devices that reach one another: all, none, those of a pair.
PEERS = [0, 0, 1, 2]


def known_schedules(program):
    """Name and options (`chunk=k`, `pcf=x|auto`, …) of every schedule, from the program itself."""
    told = attack.run([program], {"YOKE_SCHEDULE": "help"}).err
    found = {}
    for line in told.splitlines():
        if match := re.match(r"  ([a-z-]+)((?:, [a-z_]+=[a-z|]+)*): ", line):
            found[match[1]] = match[2].split(", ")[1:]
    if len(found) < 2:
        sys.exit(f"{program} with YOKE_SCHEDULE=help lists no schedules:\n{told}")
    return found


def random_option(rng, option):
    name, _, kinds = option.partition("=")
    values = {"k": CHUNKS, "x": FACTORS, "chunk": ["chunk"], "auto": ["auto"]}
    return f"{name}={rng.choice(values[rng.choice(kinds.split('|'))])}"


def random_schedule(rng, schedules):
    name = rng.choice(sorted(schedules))
    chosen = [random_option(rng, o) for o in schedules[name] if rng.random() < 0.7]
    return ",".join([name] + chosen)


def random_problem(rng, program, classes):
    """Options that say what is computed: all runs with the same ones have the same norms."""
    if rng.random() < 0.6:
        letter = rng.choice(classes)
        return ["--class", letter] + (["--steps", str(rng.randint(1, 12))] if rng.random() < 0.5 else [])
    # BT's zones are uneven, and none may have less than six points in a direction.
    most, points = (3, (16, 22)) if "bt-mz" in os.path.basename(program) else (5, (6, 13))
    zones = rng.randint(1, most), rng.randint(1, most)
    grid = [n * rng.randint(*points) + rng.randint(0, 3) for n in zones] + [rng.randint(6, 12)]
    return ["--grid", "x".join(map(str, grid)), "--zones", "x".join(map(str, zones)), "--steps", str(rng.randint(1, 8))]


def random_units(rng, n_cpus, device):
    """A configuration that fits n_cpus CPUs, and the devices for it."""
    gpus = rng.randint(0, 3) if device == "emulated" else rng.randint(0, device.count(",") + 1)
    free = n_cpus if device == "emulated" else n_cpus - gpus
    cpus_each = rng.choice([m for m in (1, 2, 3, 4, 8) if m <= free])
    n_units = rng.randint(1, free // cpus_each) if not gpus or rng.random() < 0.8 else 0
    cpu_part = f"{n_units}x{cpus_each}" if n_units else ""
    if not gpus:
        return cpu_part, "none"
    return f"{cpu_part}+{gpus}", random_devices(rng, gpus) if device == "emulated" else device


def random_devices(rng, n):
    """Emulated ones for n GPU CUs: whole, in slices, or several memory spaces on one."""
    items = []
    while n > 0:
        taken = rng.randint(1, n)
        part = f"1/{rng.randint(2, 5)}:{rng.randint(0, 1)}" if taken == 1 else f"1/{taken}"
        items.append("emulated:" + rng.choice([str(taken), str(taken), part, f"1*{taken}"]))
        n -= taken
    return ";".join(items)


def random_run(rng, asked, schedules):
    """(program, problem, other options, environment)."""
    cus, devices = random_units(rng, len(os.sched_getaffinity(0)), asked.device)
    options = ["--cus", cus, "--devices", devices, "--schedule", random_schedule(rng, schedules)]
    options += ["--exchange", "barrier"] if rng.random() < 0.25 else []
    options += ["--peer-faces", "host"] if rng.random() < 0.2 else []
    options += ["--no-graph"] if rng.random() < 0.2 else []
    options += ["--solo"] if rng.random() < 0.05 else []
    slowdowns = SLOWDOWNS[:-1] if "--solo" in options else SLOWDOWNS  # which runs everything on each device alone, too
    slowdown = rng.choice(slowdowns)
    emulated = f"slowdown={slowdown},peers={rng.choice(PEERS)}"
    environment = {"YOKE_EMULATED": emulated} if devices.startswith("emulated") else {}
    program = rng.choice(asked.programs)
    problem = random_problem(rng, program, asked.classes)
    if slowdown == SLOWDOWNS[-1] and ":1/" in devices and "--steps" not in problem:
        problem += ["--steps", str(rng.randint(1, 12))]  # of class W in full a part of such a device takes minutes
    return program, problem, options, environment


class Runner:
    """Runs programs, and keeps the norms that each problem must have."""

    def __init__(self, limit, scratch):
        self.limit, self.scratch = limit, scratch
        self.expected = {}

    def norms(self, program, options, environment):
        """Norms as text, and None; or None, and what went wrong."""
        path = os.path.join(self.scratch, f"{os.getpid()}.json")
        done = attack.run([program, *options, "--quiet", "--json", path], environment, self.limit)
        if done.status != 0:
            return None, f"exit {done.status} (None: it hung)\n{done.out}{done.err}"
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if result["verification"] != ("NOT PERFORMED" if "--steps" in options else "SUCCESSFUL"):
            return None, f"verification {result['verification']}"
        return json.dumps(result["norms"]), None

    def expect(self, program, problem):
        key = (program, *problem)
        if key not in self.expected:
            host = ["--cus", "1x1", "--devices", "none", "--schedule", "static"]
            self.expected[key] = self.norms(program, problem + host, {})
        return self.expected[key]

    def check(self, program, problem, options, environment):
        """The run as a line for a shell, and what is wrong with it or None."""
        line = attack.shown([program, *problem, *options, "--quiet"], environment)
        expected, complaint = self.expect(program, problem)
        if complaint:
            return line, f"on the host with 1x1 static: {complaint}"
        found, complaint = self.norms(program, problem + options, environment)
        if complaint is None and found != expected:
            complaint = f"norms {found} instead of {expected}"
        return line, complaint


RUNNER = None  # of a worker process


def begin_worker(limit, scratch):
    global RUNNER
    RUNNER = Runner(limit, scratch)


def work(run, until):
    return RUNNER.check(*run) if time.monotonic() < until else None


def record_of(program):
    """What the program says of itself, by a run of one step."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        attack.run([program, "--class", "S", "--steps", "1", "--quiet", "--json", path], {})
        return record.of_program(path)


def add_arguments(parser):
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time; they disturb each other, on purpose")
    parser.add_argument("--device", default="emulated", help="emulated, or a list of devices such as cuda:0,1")
    parser.add_argument("--classes", default="SSSSW", help="letters to draw classes from")
    parser.add_argument("--json", help="file for seed, counts and settings")


def main():
    asked = attack.arguments(__doc__, 200, add_arguments)
    schedules = known_schedules(asked.programs[0])
    account, here = attack.Account(), record.of_script()
    until = time.monotonic() + asked.seconds
    drawn = [random_run(asked.random, asked, schedules) for _ in range(asked.count)]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ProcessPoolExecutor(
            asked.jobs, initializer=begin_worker, initargs=(asked.limit, scratch)) as pool:
        for done in pool.map(work, drawn, [until] * asked.count):
            if done is not None:
                account.add(*done)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"schema": "yoke-random-runs/2", "record": here, "program": record_of(asked.programs[0]), "seed": asked.seed,
                       "asked": asked.count, "runs": account.runs, "wrong": account.wrong, "device": asked.device,
                       "classes": asked.classes}, file)
    return account.end("runs have the bits of one CPU")


if __name__ == "__main__":
    sys.exit(main())
