#!/usr/bin/env python3
"""Runs two NPB programs in turn and compares their Mop/s pair by pair, which a noisy machine does not spoil.

    scripts/compare.py [-n PAIRS] [--json FILE] [--env-b NAME=VALUE]... 'COMMAND A' 'COMMAND B'
    scripts/compare.py [-n RUNS] --baseline FILE [--flag 1.25] 'COMMAND A'

A is ours, B the reference; both must print "Mop/s total = X" and a successful verification. Prints each pair, the
medians and the median ratio A/B; --json writes all samples, the record of this machine (scripts/record.py) and, of
programs of Yoke, what they record of themselves: commit, compiler, devices, settings.

With --baseline A alone runs, and its median is compared with that of A in FILE, which --json wrote earlier: exit 1 where
A is slower than that median divided by --flag, 0 else, 2 for a file of another machine or another command.
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


def refuse(message):
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(2)


def name_of(command):
    """Wherever the program lies."""
    words = shlex.split(command)
    return shlex.join([os.path.basename(words[0]), *words[1:]])


def read_baseline(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        if found["schema"] != "yoke-compare/1":
            refuse(f"--baseline {path}: schema {found['schema']!r}; a file that compare.py --json wrote")
        median = statistics.median(float(a) for a, _ in found["pairs"])
        if not median > 0:
            raise ValueError(f"a median of {median:g} Mop/s")
        return {"command": found["a"], "rate": median, "host": dict(found["record"]["host"]),
                "program": found["records"]["a"]}
    except OSError as problem:
        refuse(f"--baseline {path}: {problem.strerror}")
    except (ValueError, KeyError, TypeError) as problem:
        refuse(f"--baseline {path}: is no file that compare.py --json writes ({type(problem).__name__}: {problem})")


def machine_of(host, program):
    """What makes rates comparable; a program without a record names no devices."""
    machine = {what: host.get(what) for what in ("cpu", "cpus", "cpus_online")}
    if program is not None:
        machine["devices"] = [{what: each.get(what) for what in ("model", "processors", "share")}
                              for each in program.get("devices", [])]
    return machine


def check_baseline(path, before, command, host):
    if before["command"] != name_of(command):
        refuse(f"--baseline {path}: is of '{before['command']}', not of '{name_of(command)}'")
    now = record_of(command, {}) if before["program"] is not None else None
    there, here = machine_of(before["host"], before["program"]), machine_of(host, now)
    if there != here:
        apart = "; ".join(f"{what} {there[what]} there, {here.get(what)} here" for what in there if there[what] != here.get(what))
        refuse(f"--baseline {path}: is of another machine: {apart}")


def compare_with_baseline(asked):
    """The exit status."""
    here = record.of_script()
    before = read_baseline(asked.baseline)
    check_baseline(asked.baseline, before, asked.a, here["host"])
    rates = []
    for number in range(asked.n):
        rates.append(rate(asked.a, {}))
        print(f"run {number + 1}: {rates[-1]:10.1f} Mop/s", flush=True)
    median, wanted = statistics.median(rates), before["rate"] / asked.flag
    slower = median < wanted
    print(f"median: {median:10.1f} Mop/s, {median / before['rate']:.3f} of the baseline's {before['rate']:.1f}: "
          f"{'slower than' if slower else 'within'} 1/{asked.flag:g} of it")
    return 1 if slower else 0


def ask():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=5, help="pairs (default 5)")
    parser.add_argument("--json", help="file for machine, commands and samples")
    parser.add_argument("--env-b", action="append", default=[], help="environment of B, NAME=VALUE")
    parser.add_argument("--baseline", help="JSON of an earlier call, with whose A this one's is compared")
    parser.add_argument("--flag", type=float, default=1.25, help="how much slower than the baseline is too slow (default 1.25)")
    parser.add_argument("a")
    parser.add_argument("b", nargs="?")
    asked = parser.parse_args()
    if asked.n < 1:
        parser.error(f"-n {asked.n}: at least one pair")
    if asked.flag < 1:
        parser.error(f"--flag {asked.flag:g}: at least 1")
    if (asked.b is None) != (asked.baseline is not None):
        parser.error("either COMMAND B or --baseline FILE")
    if asked.baseline is not None and (asked.json or asked.env_b):
        parser.error("--baseline goes without --json and --env-b")
    return asked


def compare_by_turns(asked):
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
                       "a": name_of(asked.a), "b": name_of(asked.b), "environment_b": environment_b,
                       "pairs": pairs, "median_ratio": statistics.median(ratios)}, out, indent=1)
            out.write("\n")


def main():
    asked = ask()
    if asked.baseline is not None:
        return compare_with_baseline(asked)
    compare_by_turns(asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
