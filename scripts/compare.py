#!/usr/bin/env python3
"""Runs two NPB programs in turn and compares their Mop/s pair by pair, which a noisy machine does not spoil.

    scripts/compare.py [-n PAIRS] [--json FILE] [--env-b NAME=VALUE]... 'COMMAND A' 'COMMAND B'

A is ours, B the reference; both must print "Mop/s total = X" and a successful verification. Prints each pair, the
medians and the median ratio A/B; --json writes machine, commands and all samples.
"""
import argparse
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys


def rate(command, extra_environment):
    """Mop/s of one run."""
    done = subprocess.run(shlex.split(command), env={**os.environ, **extra_environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = re.search(r"Mop/s total\s*=\s*([0-9.Ee+]+)", done.stdout)
    if done.returncode != 0 or not found or "UNSUCCESSFUL" in done.stdout or "SUCCESSFUL" not in done.stdout:
        sys.exit(f"compare.py: '{command}' (exit {done.returncode}) printed no verified Mop/s:\n{done.stdout[-2000:]}")
    return float(found.group(1))


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


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
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], text=True, stdout=subprocess.PIPE,
                                check=False).stdout.strip()
        with open(asked.json, "w", encoding="utf-8") as out:
            json.dump({"machine": {"cpu": cpu_model(), "cpus": os.cpu_count()}, "commit": commit,
                       "a": os.path.basename(asked.a), "b": os.path.basename(asked.b), "pairs": pairs,
                       "median_ratio": statistics.median(ratios)}, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
