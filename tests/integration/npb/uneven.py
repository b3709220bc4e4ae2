#!/usr/bin/env python3
"""Zones of different shapes have faces that match one to one, on the host, on a device and between them.

uneven.py PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

GRID = ["--grid", "29x23x9", "--zones", "3x2", "--steps", "4"]
RUNS = [("1x1", "none", "static"), ("1x1+1", "emulated:1", "static"), ("1x1+1", "emulated:1", "dynamic"),
        ("+1", "emulated:1", "static")]


def norms(program, path, cus, devices, schedule):
    subprocess.run([program, *GRID, "--cus", cus, "--devices", devices, "--schedule", schedule, "--quiet", "--json",
                    path], check=True, env=without_settings(), timeout=300)
    with open(path, encoding="utf-8") as file:
        return json.dumps(json.load(file)["norms"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = {run: norms(sys.argv[1], os.path.join(folder, "run.json"), *run) for run in RUNS}
    different = [run for run in RUNS if found[run] != found[RUNS[0]]]
    for run in [RUNS[0], *different]:
        print(f"--cus {run[0]} --devices {run[1]} --schedule {run[2]}: {found[run]}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
