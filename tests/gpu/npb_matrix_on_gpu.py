#!/usr/bin/env python3
"""SP-MZ, BT-MZ and LU-MZ on a GPU under every schedule and configuration: verified, with one set of norms each.

npb_matrix_on_gpu.py cuda|hip|emulated FOLDER-OF-PROGRAMS [options]

S, W, A and B run every schedule in every configuration. C runs `+1` once, and every schedule in the first configuration
with CPUs, or those that --schedules names in each. D runs 10 steps of everything, and its norms must equal those of `+1` to 1e-12; all others must verify, to
the same last bit. Exit status: 0 all of that holds, 1 it does not or runs were skipped, 2 wrong usage.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from clean import without_settings  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "integration" / "npb"), str(TESTS.parent / "scripts")]
import matrix  # noqa: E402
from record import of_script  # noqa: E402

CONFIGURATIONS = ["+1", "15x1+1", "7x2+1", "3x4+1"]
PCF = 20  # a real GPU is as fast as many CPU CUs, the emulated one is not
CLASSES = "SWABCD"
STEPS_OF_D = 10


class no_device(Exception):
    pass


@dataclasses.dataclass(frozen=True)
class job:
    letter: str
    configuration: str
    schedule: str
    benchmark: str

    @property
    def steps(self):
        return STEPS_OF_D if self.letter == "D" else None

    @property
    def hybrid(self):
        return not self.configuration.startswith("+")

    @property
    def cost(self):
        """Order of magnitude: CPUs beside the GPU take about as much longer as the next class does."""
        return (CLASSES.index(self.letter) + self.hybrid, self.hybrid)

    def __str__(self):
        return f"{self.benchmark} {self.letter} {self.configuration} {self.schedule}"


@dataclasses.dataclass
class outcome:
    verdict: str
    norms: dict | None = None
    mops: float | None = None
    seconds: float | None = None
    setup_s: float | None = None
    wall_s: float | None = None
    failure: str = ""
    record: dict | None = None  # what the program says of itself


def jobs_of(letter, asked):
    """The runs of a class. C and D begin with `+1` under `static`, which D compares with."""
    alone = [("+1", "static")] if letter in "CD" else []
    configurations = asked.configurations
    if letter == "C" and not asked.named_schedules:
        configurations = [c for c in configurations if not c.startswith("+")][:1]
    pairs = dict.fromkeys(alone + list(itertools.product(configurations, asked.schedules)))
    return [job(letter, c, s, b) for c, s in pairs for b in asked.benchmarks]


def run(j, asked, folder):
    path = os.path.join(folder, "-".join(str(j).split()) + ".json")
    command = [os.path.join(asked.programs, f"{j.benchmark}-mz"), "--class", j.letter, "--cus", j.configuration,
               "--devices", asked.devices, "--schedule", j.schedule, "--quiet", "--json", path]
    command += ["--steps", str(j.steps)] if j.steps else []
    environment = without_settings()
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=asked.limit,
                              check=False)
    except subprocess.TimeoutExpired:
        return outcome("TIMED OUT", wall_s=asked.limit,
                       failure=f"{' '.join(command)}: still running after {asked.limit:.0f} s")
    wall = time.monotonic() - begin
    if "no such device" in done.stderr:
        raise no_device(done.stderr.strip())
    if done.returncode != 0:
        text = f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return outcome("FAILED", wall_s=wall, failure=text)
    with open(path, encoding="utf-8") as file:
        return judge(j, json.load(file), wall)


def judge(j, result, wall):
    failure = ""
    try:
        if j.steps:
            assert result["iterations"] == j.steps and result["verification"] == "NOT PERFORMED"
            assert sum(u["tasks"] for u in result["units"]) == len(result["tasks"]) * j.steps
        else:
            matrix.check(result, j.letter, j.configuration)
    except AssertionError as broken:
        failure = f"{j}: {broken!r}"
    return outcome(result["verification"], result["norms"], result["mops"], result["seconds"], result["setup_s"], wall,
                   failure, result["record"])


class record:
    """What has run so far; the file always holds all of it."""

    def __init__(self, asked, all_jobs):
        self.asked = asked
        self.all_jobs = all_jobs
        self.record = of_script()
        self.program = None  # what the first run recorded
        self.outcomes = {}
        self.sets = collections.defaultdict(list)  # of (class, benchmark): each set of norms met

    def add(self, j, o):
        self.outcomes[j] = o
        self.program = self.program or o.record
        if o.norms is not None:
            sets = self.sets[j.letter, j.benchmark]
            if o.norms not in sets:
                sets.append(o.norms)
        if self.asked.json:
            self.write()

    def write(self):
        runs = []
        for j, o in self.outcomes.items():
            norms_set = self.sets[j.letter, j.benchmark].index(o.norms) if o.norms is not None else None
            runs.append({"benchmark": j.benchmark, "class": j.letter, "configuration": j.configuration,
                         "schedule": j.schedule, "steps": j.steps, "mops": o.mops, "seconds": o.seconds,
                         "setup_s": o.setup_s, "wall_s": o.wall_s, "verdict": o.verdict, "norms_set": norms_set})
        with open(self.asked.json, "w", encoding="utf-8") as file:
            json.dump({"schema": "yoke-npb-matrix/1", "record": self.record, "program": self.program,
                       "devices": self.asked.devices, "runs": runs}, file, indent=1)

    def skipped(self):
        return [j for j in self.all_jobs if j not in self.outcomes]

    def failures(self):
        found = [o.failure for o in self.outcomes.values() if o.failure]
        for (letter, benchmark), sets in self.sets.items():
            if letter != "D" and len(sets) > 1:
                found.append(f"{benchmark} {letter}: {len(sets)} sets of norms")
                found += [f"  {norms}: {self.names_with(letter, benchmark, norms)}" for norms in sets]
        return found + [text for j, o in self.outcomes.items() if j.letter == "D" for text in self.far_from_alone(j, o)]

    def names_with(self, letter, benchmark, norms):
        return ", ".join(f"{j.configuration} {j.schedule}" for j, o in self.outcomes.items()
                         if (j.letter, j.benchmark) == (letter, benchmark) and o.norms == norms)

    def far_from_alone(self, j, o):
        alone = self.outcomes.get(job(j.letter, "+1", "static", j.benchmark))
        if o.norms is None:
            return []  # failed, and says so
        if alone is None or alone.norms is None:
            return [f"{j}: nothing to compare with, for +1 static gave no norms"]
        pairs = list(zip(flat(o.norms), flat(alone.norms), strict=True))
        equal = all(abs(a - b) <= 1e-12 * abs(b) for a, b in pairs)  # nothing equals a NaN
        return [] if equal else [f"{j}: norms differ from those of +1: {pairs}"]


def flat(norms):
    return [x for value in norms.values() for x in (value if isinstance(value, list) else [value])]


def run_group(jobs, asked, deadline, done, folder):
    """Runs of one class, all alone on the GPU or all with CPUs."""
    small = jobs[0].letter in "SW"
    width = (asked.together_hybrid if small else 1) if jobs[0].hybrid else asked.together

    def one(j):
        return j, run(j, asked, folder) if time.monotonic() < deadline else None

    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        for pending in concurrent.futures.as_completed([pool.submit(one, j) for j in jobs]):
            j, o = pending.result()
            if o is not None:
                done.add(j, o)


def run_all(asked, jobs, folder):
    begin = time.monotonic()
    deadline = begin + asked.seconds
    done = record(asked, jobs)
    for _, group in itertools.groupby(sorted(jobs, key=lambda j: j.cost), key=lambda j: j.cost):
        group = list(group)
        run_group(group, asked, deadline, done, folder)
        names = " ".join(dict.fromkeys(j.configuration for j in group))
        print(f"{time.monotonic() - begin:6.0f} s: class {group[0].letter}, {names}: "
              f"{sum(j in done.outcomes for j in group)} of {len(group)} runs", flush=True)
    return done


def summarize(done):
    """The table, what failed and what was skipped."""
    columns = list(dict.fromkeys(j.configuration for j in done.all_jobs))
    good, wanted = collections.Counter(), collections.Counter()
    for j in done.all_jobs:
        o = done.outcomes.get(j)
        wanted[j.letter, j.configuration] += 1
        good[j.letter, j.configuration] += o is not None and not o.failure
    print("\nverified (D: ran) of wanted\n" + "class" + "".join(f"{c:>10}" for c in columns) + "   sets of norms")
    for letter in dict.fromkeys(j.letter for j in done.all_jobs):
        cells = [f"{good[letter, c]}/{wanted[letter, c]}" if wanted[letter, c] else "-" for c in columns]
        sets = ", ".join(f"{b} {len(s)}" for (l, b), s in sorted(done.sets.items()) if l == letter)
        print(f"{letter:5}" + "".join(f"{cell:>10}" for cell in cells) + f"   {sets}")
    skipped = collections.Counter((j.letter, j.configuration) for j in done.skipped())
    for (letter, configuration), n in skipped.items():
        print(f"skipped for lack of time: {n} runs of class {letter}, {configuration}")
    failures = done.failures()
    print("\n".join(failures) or f"{len(done.outcomes)} runs, none failed")
    return 1 if failures or skipped else 0


def without_those_too_large(configurations):
    """For machines of any size; says what it leaves out."""
    cpus = len(os.sched_getaffinity(0))
    kept = []
    for configuration in configurations:
        teams, _, width = configuration.partition("+")[0].partition("x")
        if int(teams or 0) * int(width or 1) <= cpus:
            kept.append(configuration)
        else:
            print(f"{configuration}: left out, for this process may use {cpus} CPUs")
    return kept


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vendor", choices=["cuda", "hip", "emulated"])
    parser.add_argument("programs", help="folder of sp-mz, bt-mz and lu-mz")
    parser.add_argument("--devices", help="default VENDOR:0 (emulated:1)")
    parser.add_argument("--classes", default="SWAB", help="some of SWABCD (default SWAB)")
    parser.add_argument("--configurations", default=",".join(CONFIGURATIONS), help="default %(default)s")
    parser.add_argument("--fitting", action="store_true", help="leave out configurations with too many CPUs")
    parser.add_argument("--schedules", nargs="+", metavar="SCHEDULE",
                        help="default: every one, plain and with its options")
    parser.add_argument("--benchmarks", default="sp,bt,lu", help="default %(default)s")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no run after so long")
    parser.add_argument("--limit", type=float, default=600, help="seconds a run may take (default 600)")
    parser.add_argument("--together", type=int, default=1,
                        help="runs of +1 at a time, whose rates then mean little (default 1)")
    parser.add_argument("--together-hybrid", type=int, default=1, help="the same for S and W with CPUs (default 1)")
    parser.add_argument("--json", metavar="FILE", help="a record of each run, written as it ends")
    asked = parser.parse_args()
    asked.devices = asked.devices or ("emulated:1" if asked.vendor == "emulated" else f"{asked.vendor}:0")
    asked.configurations = asked.configurations.split(",")
    asked.benchmarks = asked.benchmarks.split(",")
    if asked.fitting:
        asked.configurations = without_those_too_large(asked.configurations)
    if not asked.classes or set(asked.classes) - set(CLASSES):
        parser.error(f"--classes {asked.classes}: some of {CLASSES}")
    for benchmark in asked.benchmarks:
        if not os.access(os.path.join(asked.programs, f"{benchmark}-mz"), os.X_OK):
            parser.error(f"{asked.programs}: holds no {benchmark}-mz that can be run")
    asked.named_schedules = bool(asked.schedules)
    asked.schedules = asked.schedules or matrix.schedules_of(
        os.path.join(asked.programs, f"{asked.benchmarks[0]}-mz"), PCF)
    if min(asked.together, asked.together_hybrid) < 1:
        parser.error("--together and --together-hybrid: 1 or more")
    return asked


def main():
    asked = arguments()
    jobs = [j for letter in dict.fromkeys(asked.classes) for j in jobs_of(letter, asked)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            return summarize(run_all(asked, jobs, folder))
    except no_device as reason:
        print(f"[skipped] {reason} [all skipped]")
        return 0


if __name__ == "__main__":
    sys.exit(main())
