#!/usr/bin/env python3
"""Runs two NPB programs in turn and compares their Mop/s pair by pair, which a noisy machine does not spoil.

    scripts/compare.py [-n PAIRS] [--json FILE] [--env-b NAME=VALUE]... 'COMMAND A' 'COMMAND B'

A is ours, B the reference; both must print "Mop/s total = X" and a successful verification. Prints each pair, the
medians and the median ratio A/B; --json writes all samples, the record of this machine (scripts/record.py) and, of
programs of Yoke, what they record of themselves: commit, compiler, devices, settings.
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

import record


def rate(command, extra_environment):
    """Mop/s of one run."""
    done = subprocess.run(shlex.split(command), env={**record.FIRST_RUN, **os.environ, **extra_environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = re.search(r"Mop/s total\s*=\s*([0-9.Ee+]+)", done.stdout)
    if done.returncode != 0 or not found or "UNSUCCESSFUL" in done.stdout or "SUCCESSFUL" not in done.stdout:
        sys.exit(f"compare.py: '{command}' (exit {done.returncode}) printed no verified Mop/s:\n{done.stdout[-2000:]}")
    return float(found.group(1))


def record_of(command, extra_environment):
    """Of a program of Yoke, from a run of two steps; None of any other."""
    words = shlex.split(command)
    if os.path.basename(words[0]) not in ("sp-mz", "bt-mz", "lu-mz"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        subprocess.run([*words, "--steps", "2", "--quiet", "--json", path], env={**record.FIRST_RUN, **os.environ, **extra_environment},
                       capture_output=True, check=False)
        found = record.of_program(path)
    if found is not None:
        found["command"] = [os.path.basename(words[0]), *words[1:]]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=5, help="pairs (default 5)")
    parser.add_argument("--json", help="file for machine, commands and samples")
    parser.add_argument("--env-b", action="append", default=[], help="environment of B, NAME=VALUE")
    parser.add_argument("a")
    parser.add_argument("b")
    asked = parser.parse_args()
    if asked.n < 1:
        parser.error(f"-n {asked.n}: at least one pair")
    environment_b = dict(entry.split("=", 1) for entry in asked.env_b)

    here = record.of_script()
    pairs = []
    for number in range(asked.n):
        pairs.append((rate(asked.a, {}), rate(asked.b, environment_b)))
        a, b = pairs[-1]
        print(f"pair {number + 1}: {a:10.1f} {b:10.1f} Mop/s   ratio {a / b:.3f}", flush=True)
    ratios = [a / b for a, b in pairs]
    median_a, median_b = (statistics.median(column) for column in zip(*pairs))
    print(f"median: {median_a:10.1f} {median_b:10.1f} Mop/s   ratio {statistics.median(ratios):.3f} "
          f"({min(ratios):.3f} to {max(ratios):.3f})")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as out:
            json.dump({"schema": "yoke-compare/1", "record": here,
                       "records": {"a": record_of(asked.a, {}), "b": record_of(asked.b, environment_b)},
                       "a": os.path.basename(asked.a), "b": os.path.basename(asked.b), "environment_b": environment_b,
                       "pairs": pairs, "median_ratio": statistics.median(ratios)}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
