#!/usr/bin/env python3
"""How near a run without options but the class comes to the best that can be chosen by hand.

    scripts/share_of_best.py BIN [--benchmarks sp,bt,lu] [--classes B,C] [--gpus G [--emulated]] [--by rate|wall] [--among REGEX] [--json FILE]

BIN holds sp-mz, bt-mz and lu-mz. Every alternative runs once with at most --screen-steps steps, the best three three times
in full; then come pairs by turns of the default and the best one. A share is the median of the ratios of their rates; --by wall
takes the wall time of the whole process instead, everything in full. Either way it says by how much the default's process is above
1.05 times the best one's time, in milliseconds. --among takes only alternatives whose names match, and --pairs and --repeats fewer runs, where
time on a machine is short. With --emulated the GPUs are emulated ones, and share CPUs.
Alternatives, with C CPUs and G GPUs: the GPUs alone and one GPU under static and cost; all CPUs as Cx1 under static, dynamic,
pool and cost, as CUs of 2, 4 and all CPUs under static and cost; (C-G)x1+G under static-hybrid, pool, cost, dynamic and
memorizing; in class D also pool with the pcf that was found by hand for one H200 beside 15 CPUs (SP 500, BT 320).
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import record

PCF_BY_HAND = {"sp": 500, "bt": 320}


def alternatives(benchmark, letter, cpus, gpus, emulated):
    """Options of each, by a name that says them."""
    on_cpus = ["--devices", "none"]
    runs = []
    for schedule in ("static", "cost") if gpus else ():
        runs += [[f"+{n}", schedule, []] for n in sorted({gpus, 1})]
    runs += [[f"{cpus}x1", schedule, on_cpus] for schedule in ("static", "dynamic", "pool", "cost")]
    for each in sorted({2, 4, cpus} & set(range(2, cpus + 1))):
        runs += [[f"{cpus // each}x{each}", schedule, on_cpus] for schedule in ("static", "cost")]
    own = 0 if emulated else gpus  # CPUs that manage a GPU and do nothing else
    if gpus and cpus > own:
        both = f"{cpus - own}x1+{gpus}"
        runs += [[both, schedule, []] for schedule in ("static-hybrid", "pool", "cost", "dynamic", "memorizing")]
        if letter == "D" and benchmark in PCF_BY_HAND:
            runs.append([both, f"pool,pcf={PCF_BY_HAND[benchmark]}", []])
    return {f"{cus} {schedule}": ["--cus", cus, "--schedule", schedule, *others] for cus, schedule, others in runs}


class Meter:
    """Runs one program; keeps every sample."""

    def __init__(self, program, letter, limit, by, environment):
        self.command, self.limit, self.samples = [program, "--class", letter, "--quiet"], limit, []
        self.by, self.environment = by, environment
        self.record = None  # of the last run that ended well

    def rate(self, name, options):
        """Mop/s, or runs a second by wall time; 0 where the run failed or took too long."""
        begin = time.monotonic()
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            try:
                done = subprocess.run([*self.command, *options, "--json", file.name], capture_output=True,
                                      env={**record.FIRST_RUN, **os.environ, **self.environment}, timeout=self.limit, check=False)
                result = json.load(file) if done.returncode == 0 else {}
                self.record = result.get("record", self.record)
            except subprocess.TimeoutExpired:
                result = {}
        kept = {key: result.get(key) for key in ("cus", "schedule", "iterations", "seconds", "setup_s", "mops", "verification")}
        wall = time.monotonic() - begin
        self.samples.append({"name": name, "options": options, "wall_s": wall, **kept})
        if self.by == "wall":
            return 1 / wall if kept["mops"] else 0
        return kept["mops"] or 0


def share(meter, choices, screen, repeats, pairs):
    """What `meter` finds for one benchmark and class."""
    screened = {name: meter.rate(name, options + screen) for name, options in choices.items()}
    best_three = sorted(screened, key=screened.get, reverse=True)[:3]
    full = {name: statistics.median(meter.rate(name, choices[name]) for _ in range(repeats)) for name in best_three}
    best = max(full, key=full.get)
    ratios, excess = [], []
    for pair in range(pairs):
        order = [("default", []), (best, choices[best])]
        rates = dict((name, meter.rate(name, options)) for name, options in (order if pair % 2 == 0 else order[::-1]))
        ratios.append(rates["default"] / rates[best] if rates[best] else float("nan"))
        if all(rates.values()):  # the two newest samples are this pair's
            walls = {sample["name"]: 1e3 * sample["wall_s"] for sample in meter.samples[-2:]}
            excess.append(walls["default"] - 1.05 * walls[best])
    unit = "best_mops" if meter.by == "rate" else "best_per_s"
    return {"best": best, "by": meter.by, unit: full[best], "share": statistics.median(ratios), "ratios": ratios,
            "above_5_percent_ms": excess,
            "screened": screened, "samples": meter.samples}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--benchmarks", default="sp,bt,lu")
    parser.add_argument("--classes", default="B,C")
    parser.add_argument("--gpus", type=int, default=0, help="GPUs of this machine")
    parser.add_argument("--emulated", action="store_true", help="they are emulated")
    parser.add_argument("--by", choices=("rate", "wall"), default="rate")
    parser.add_argument("--among", default="", metavar="REGEX", help="of alternatives, as '15x1\\+1 pool|\\+1 static'")
    parser.add_argument("--screen-steps", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--json")
    asked = parser.parse_args()
    cpus = len(os.sched_getaffinity(0))
    found = {"schema": "yoke-share/2", "record": record.of_script(), "gpus": asked.gpus, "emulated": asked.emulated,
             "among": asked.among, "shares": []}
    environment = {"YOKE_DEVICES": f"emulated:{asked.gpus}"} if asked.emulated else {}
    screen = ["--steps", str(asked.screen_steps)] if asked.by == "rate" else []
    unit = "Gop/s" if asked.by == "rate" else "runs/s"
    print(f"{'':8} {'best by hand':28} {unit:>10} {'share':>7}   least and largest ratio")
    for letter in asked.classes.split(","):
        for benchmark in asked.benchmarks.split(","):
            meter = Meter(os.path.join(asked.bin, f"{benchmark}-mz"), letter, asked.limit, asked.by, environment)
            choices = alternatives(benchmark, letter, cpus, asked.gpus, asked.emulated)
            choices = {name: options for name, options in choices.items() if re.search(asked.among, name)}
            if not choices:
                parser.error(f"--among {asked.among}: matches none of the alternatives of {benchmark}, class {letter}")
            one = share(meter, choices, screen, asked.repeats, asked.pairs)
            found["shares"].append({"benchmark": benchmark, "class": letter, "record": meter.record, **one})
            rate = one["best_mops"] / 1e3 if asked.by == "rate" else one["best_per_s"]
            above = one["above_5_percent_ms"]
            print(f"{benchmark} {letter:5} {one['best']:28} {rate:10.1f} {one['share']:7.3f}   "
                  f"{min(one['ratios']):.3f} {max(one['ratios']):.3f}"
                  + (f"   {statistics.median(above):+.0f} ms above 1.05 times" if above else ""), flush=True)
            if asked.json:
                with open(asked.json, "w", encoding="utf-8") as file:
                    json.dump(found, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
