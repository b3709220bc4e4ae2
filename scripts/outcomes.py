#!/usr/bin/env python3
"""What the default schedule comes to in virtual time: simulated nodes, random machines of seeds that chose no number, NPB-MZ beside H200s.

outcomes.py BUILD [--json FILE] [--against FILE] [--schedule NAME]    rates, beside those of an earlier commit and the bars
outcomes.py BUILD --numbers                                           a table: what moves when a number of `auto` is halved or doubled

BUILD has the targets scheduling_outcomes and yoke. More is better everywhere, but in "poor". Nothing of it depends on the machine.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = PROJECT / "tests/scheduling/outcomes-before.json"
FIRST_SEED, MACHINES = 100_000, 1000
SEEDS_OF_NUMBERS = (FIRST_SEED, 1)


def told(*command, may_fail=False):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def default_share(build):
    lines = told(sys.executable, PROJECT / "tests/tools/default_share.py", build / "bin/yoke", PROJECT, may_fail=True)
    return {f"{work} {cus}": float(share) for work, cus, share in re.findall(r"^(\w+:\w) (\S+) +([\d.]+) of", lines, re.MULTILINE)}


def outcomes(build, schedule, seeds, *numbers):
    return json.loads(told(build / "tests/scheduling_outcomes", schedule, *seeds, *numbers))


def measured(build, schedule):
    found = {"commit": told("git", "-C", PROJECT, "describe", "--always", "--dirty", "--abbrev=12").strip()}
    found |= outcomes(build, schedule, (FIRST_SEED, MACHINES))
    if schedule == "auto":
        found["default_share"] = default_share(build)
    return found


def ratios(now, before):
    return {name: now["outcomes"][name] / rate for name, rate in before["outcomes"].items()}


def compare(now, before):
    beside = ratios(now, before)
    for name, ratio in sorted(beside.items(), key=lambda one: one[1]):
        if ratio < 0.97 or ratio > 1.03:
            print(f"{ratio:7.3f}  {before['outcomes'][name]:.3f} -> {now['outcomes'][name]:.3f}  {name}")
    share = now["default_share"]
    halves = list(share.values())
    machines = now["machines"]
    capped = statistics.mean(min(ratio, 1.1) for ratio in beside.values())
    rows = [("default_share, least", min(share.values()), 0.96), ("default_share, mean", statistics.mean(halves), 0.99),
            ("default_share, mean of rows 1, 3, ...", statistics.mean(halves[::2]), 0.99), ("default_share, mean of rows 2, 4, ...", statistics.mean(halves[1::2]), 0.99),
            ("random machines, median", machines["median"], 0.995), ("random machines, 5th percentile", machines["percentile_5"], 0.92),
            ("random machines, not poor for over 20 passes", 1 - machines["part_poor_for_20"], 0.985),
            ("outcomes over those before, mean (each counts 1.1 at most)", capped, 0.98), ("outcomes over those before, least", min(beside.values()), 0.9)]
    for name, rate, bar in rows:
        print(f"{rate:7.4f}  {'reached' if rate >= bar else 'MISSED '} {bar}  {name}")
    print(f"{machines['mean_by_clock']:7.4f}  (before {before['machines']['mean_by_clock']:.4f})  random machines by what passes took, noise included")


def table_of_numbers(build):
    numbers = json.loads(told(build / "tests/scheduling_outcomes", "numbers"))
    usual = outcomes(build, "auto", SEEDS_OF_NUMBERS)

    def row(number):
        cells = []
        for times in (0.5, 2):
            now = outcomes(build, "auto", SEEDS_OF_NUMBERS, f"{number['name']}={number['value'] * times:.17g}")
            moved = ratios(now, usual)
            name, least = min(moved.items(), key=lambda one: one[1])
            mean = f"{statistics.mean(moved.values()):.3f}"
            cells.append(mean if round(least, 2) >= 0.99 else f"{mean}, least {least:.2f} ({name})")
        return f"| {number['name']} | {number['value']:g} {number['unit']} | {number['meaning']} | {cells[0]} | {cells[1]} |"

    print("| number | value | meaning | halved: mean of rates, least | doubled |\n| --- | --- | --- | --- | --- |")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(row, numbers):
            print(line, flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--json", type=pathlib.Path)
parser.add_argument("--against", type=pathlib.Path, default=REFERENCE)
parser.add_argument("--schedule", default="auto")
parser.add_argument("--numbers", action="store_true")
given = parser.parse_args()
if given.numbers:
    table_of_numbers(given.build)
else:
    result = measured(given.build, given.schedule)
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    if given.schedule == "auto":
        compare(result, json.loads(given.against.read_text(encoding="utf-8")))
