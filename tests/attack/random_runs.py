#!/usr/bin/env python3
"""Random runs of NPB-MZ: whatever the configuration and the schedule, the norms are equal to the last bit.

random_runs.py FOLDER [--count N] [--seconds T] [--seed S] [--jobs J] [--device cuda:0] [--classes SW] [--json FILE]

FOLDER holds sp-mz, bt-mz and lu-mz. Each run draws a benchmark, a class or a grid of its own, a configuration that fits
this machine, a schedule with options, the exchange, graphs, and how slow emulated devices are; it is compared with
`1x1 static` of the same problem on the host, and classes with their reference values. `--seconds` stops before `--count`
runs are done. The seed is printed; the same seed, machine and programs give the same runs.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import threading

BENCHMARKS = ["sp-mz", "bt-mz", "lu-mz"]
# What a value of each kind of option may be; `x|auto` and `k|chunk` name them in the list of schedules.
CHUNKS = [1, 2, 3, 4, 5, 8, 16, 40]
FACTORS = [0.2, 0.5, 1, 2, 3, 7.5, 40, 500]
SLOWDOWNS = [1, 1, 1, 2, 3, 8]
LIMIT_S = 300


def clean_environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("YOKE_", "OMP_", "KMP_"))}
    return kept | {k: str(v) for k, v in more.items()}


def known_schedules(program):
    """Name and options (`chunk=k`, `pcf=x|auto`, …) of every schedule, from the program itself."""
    told = subprocess.run([program], capture_output=True, text=True, env=clean_environment(YOKE_SCHEDULE="help"),
                          timeout=LIMIT_S).stderr
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


def random_problem(rng, benchmark, classes):
    """Options that say what is computed: all runs with the same ones have the same norms."""
    if rng.random() < 0.6:
        letter = rng.choice(classes)
        return ["--class", letter] + (["--steps", str(rng.randint(1, 12))] if rng.random() < 0.5 else [])
    most, points = (3, (16, 22)) if benchmark == "bt-mz" else (5, (6, 13))  # BT's zones are uneven, none below 6 points
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
    return f"{cpu_part}+{gpus}", f"emulated:{gpus}" if device == "emulated" else device


def random_run(rng, asked, schedules):
    """(benchmark, problem, other options, environment)."""
    cus, devices = random_units(rng, len(os.sched_getaffinity(0)), asked.device)
    options = ["--cus", cus, "--devices", devices, "--schedule", random_schedule(rng, schedules)]
    options += ["--exchange", "barrier"] if rng.random() < 0.25 else []
    options += ["--no-graph"] if rng.random() < 0.2 else []
    options += ["--solo"] if rng.random() < 0.05 else []
    environment = {"YOKE_EMULATED": f"slowdown={rng.choice(SLOWDOWNS)}"} if devices.startswith("emulated") else {}
    benchmark = rng.choice(BENCHMARKS)
    return benchmark, random_problem(rng, benchmark, asked.classes), options, environment


class runner:
    """Runs programs, and keeps the norms that each problem must have."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        self.expected, self.lock = {}, threading.Lock()

    def norms(self, benchmark, options, environment):
        """Norms as text; a line that says what went wrong instead raises RuntimeError."""
        path = os.path.join(self.scratch, f"{threading.get_ident()}.json")
        command = [os.path.join(self.folder, benchmark), *options, "--quiet", "--json", path]
        shown = " ".join([f"{k}={v}" for k, v in environment.items()] + [shlex.join(command[:-2])])
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S,
                                  env=clean_environment(**environment))
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"{shown}: not finished after {LIMIT_S} s") from None
        if done.returncode != 0:
            raise RuntimeError(f"{shown}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        verdict = result["verification"]
        if verdict != ("NOT PERFORMED" if "--steps" in options else "SUCCESSFUL"):
            raise RuntimeError(f"{shown}: verification {verdict}")
        return shown, json.dumps(result["norms"])

    def expect(self, benchmark, problem):
        key = (benchmark, *problem)
        with self.lock:
            if key not in self.expected:
                host = ["--cus", "1x1", "--devices", "none", "--schedule", "static"]
                self.expected[key] = self.norms(benchmark, problem + host, {})[1]
            return self.expected[key]

    def check(self, benchmark, problem, options, environment):
        """None, or what is wrong with the run."""
        try:
            expected = self.expect(benchmark, problem)
            shown, found = self.norms(benchmark, problem + options, environment)
        except RuntimeError as failure:
            return str(failure)
        return None if found == expected else f"{shown}: other norms\n  {found}\n  instead of\n  {expected}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time; they disturb each other, on purpose")
    parser.add_argument("--device", default="emulated", help="emulated, or a list of devices such as cuda:0,1")
    parser.add_argument("--classes", default="SSSSW", help="letters to draw classes from")
    parser.add_argument("--json", help="file for seed, counts and failures")
    return parser.parse_args()


def main():
    asked = parse_arguments()
    print(f"seed {asked.seed}", flush=True)
    rng = random.Random(asked.seed)
    schedules = known_schedules(os.path.join(asked.folder, "sp-mz"))
    failures, done, stop = [], 0, threading.Event()
    timer = threading.Timer(min(asked.seconds, threading.TIMEOUT_MAX), stop.set)
    timer.daemon = True
    timer.start()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        runs = runner(asked.folder, scratch)
        drawn = [random_run(rng, asked, schedules) for _ in range(asked.count)]
        for failure in pool.map(lambda run: "left out" if stop.is_set() else runs.check(*run), drawn):
            done += failure != "left out"
            if failure not in (None, "left out"):
                failures.append(failure)
                print(failure, flush=True)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"seed": asked.seed, "asked": asked.count, "runs": done, "device": asked.device,
                       "classes": asked.classes, "failures": failures}, file, indent=1)
    print(f"{done} runs, {len(failures)} wrong (seed {asked.seed})")
    return 1 if failures or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
