#!/usr/bin/env python3
"""NPB-MZ with too little memory: a run verifies with the same bits, or is refused before anything is allocated.

memory.py few|many SP-MZ BT-MZ LU-MZ [--seed N] [--runs N] [--no-data-limit]

The memories of emulated devices are between 5% and 110% of what all zones of a problem need there, that of the host now and then
too (by its limit of data, which --no-data-limit leaves alone: a sanitizer maps all addresses). `few` takes a random part of schedules
and configurations, `many` all of them.
"""
import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import schedules_of, without_settings

CONFIGURATIONS = ["+1", "1x1+1", "1x1+2", "+2", "2x1+1", "1x2+2", "+2 on emulated:1/2", "1x1+3 on emulated:2/2"]
PERCENT = [5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 100, 105, 110]
PROBLEMS = {"sp-mz": ["--grid", "96x64x8", "--zones", "4x4"], "bt-mz": ["--grid", "120x80x8", "--zones", "4x3"],
            "lu-mz": ["--grid", "96x64x8", "--zones", "4x3"]}
STEPS = ["--steps", "12"]
PLENTY = 1 << 33
SECONDS_TO_REFUSE = 10  # of a busy machine, with the start of the program


def gpus_of(configuration):
    return int(configuration.partition(" ")[0].partition("+")[2])


def run(program, configuration, schedule, memory, data=None):
    """The result, or None where it was refused cleanly. Errors: AssertionError."""
    name = os.path.basename(program)
    cus, _, devices = configuration.partition(" on ")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        command = [program, *PROBLEMS[name], *STEPS, "--cus", cus, "--devices",
                   devices or f"emulated:{gpus_of(configuration)}", "--schedule", schedule, "--json", path]
        what = f"YOKE_EMULATED=memory={memory} {' '.join(command)} (data {data})"
        limit = None if data is None else lambda: resource.setrlimit(resource.RLIMIT_DATA, (data, data))
        began = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit,
                                  env=without_settings() | {"YOKE_EMULATED": f"memory={memory}"})
        except subprocess.TimeoutExpired:
            raise AssertionError(f"hangs: {what}") from None
        took = time.monotonic() - began
        if done.returncode == 0:
            with open(path, encoding="utf-8") as file:
                return json.load(file) | {"report": done.stdout}
    assert done.returncode == 1, f"exit {done.returncode}: {what}\n{done.stderr}"
    refused = "does not fit into memory" in done.stderr or "enough for about" in done.stderr
    assert refused and "Time in seconds" not in done.stdout, f"failed and was not refused: {what}\n{done.stderr}"
    assert took < SECONDS_TO_REFUSE, f"took {took:.1f} s to be refused: {what}"
    return None


class of_problem:
    """What a program needs with enough memory, and its bits."""

    def __init__(self, program, has_data_limit):
        self.program, self.has_data_limit = program, has_data_limit
        self.norms = json.dumps(run(program, "+1", "static", PLENTY)["norms"])
        data = PLENTY if has_data_limit else None
        self.spaces = {c: run(program, c, "static", PLENTY, data)["memory"] for c in CONFIGURATIONS}

    def memory(self, configuration, percent):
        device = self.spaces[configuration][1]
        return max(4096, (device["beside_zones"] + device["all_zones"]) * percent // 100)

    def data_limit(self, configuration, percent):
        """Which leaves so much of what the host needs; beside that, what the process had when it was asked."""
        host = self.spaces[configuration][0]
        had = PLENTY - (host["free"] + (64 << 20) * (1 + gpus_of(configuration))) * 64 // 63
        needed = (host["beside_zones"] + host["all_zones"]) * percent // 100
        return had + (needed + (64 << 20) * (1 + gpus_of(configuration))) * 64 // 63 + 4096

    def check(self, configuration, schedule, percent, of_host=None):
        data = None if of_host is None else self.data_limit(configuration, of_host)
        result = run(self.program, configuration, schedule, self.memory(configuration, percent), data)
        if result is None:
            return "refused"
        what = f"{self.program} {configuration} {schedule} {percent}% (host {of_host}%)"
        assert json.dumps(result["norms"]) == self.norms, f"other bits: {what}"
        short = any(s["beside_zones"] + s["all_zones"] > s["free"] for s in result["memory"]
                    if s["space"] > 0 or "x" in configuration)
        assert ("memory is short" in result["report"]) == short, f"one line tells of short memory: {what}"
        assert sum(s["zones"] for s in result["memory"]) == len(result["tasks"]), what
        return "short" if short else "enough"


def cases(asked, problems):
    for problem in problems:
        everything = [(problem, c, s, p, None) for c, s, p in
                      itertools.product(CONFIGURATIONS, schedules_of(problem.program), PERCENT)]
        with_cpus = [case for case in everything if case[1][0] != "+" and problem.has_data_limit]
        everything += [case[:4] + (random.choice(PERCENT),) for case in random.sample(with_cpus, len(with_cpus) // 4)]
        yield from everything if asked.what == "many" else random.sample(everything, asked.runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["few", "many"])
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TEST_SEED", random.randrange(1 << 30))))
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--no-data-limit", action="store_true")
    asked = parser.parse_args()
    random.seed(asked.seed)
    print(f"--seed {asked.seed}")
    failures, outcomes = [], {}
    problems = [of_problem(program, not asked.no_data_limit) for program in asked.programs]
    for problem, *case in cases(asked, problems):
        try:
            outcome = problem.check(*case)
        except AssertionError as broken:
            failures.append(str(broken))
            outcome = "failed"
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    print("\n".join(failures + [str(outcomes)]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
