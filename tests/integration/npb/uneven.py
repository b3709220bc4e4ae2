#!/usr/bin/env python3
"""Zones of different shapes have faces that match one to one, on the host, on a device and between them.

uneven.py PROGRAM
"""
import json
import os
import subprocess
import sys
import tempfile

GRID = ["--grid", "29x23x9", "--zones", "3x2", "--steps", "4"]
RUNS = [("1x1", "none", "static"), ("1x1+1", "emulated:1", "static"), ("1x1+1", "emulated:1", "dynamic"),
        ("+1", "emulated:1", "static")]


def norms(program, path, cus, devices, schedule):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("YOKE_", "OMP_", "KMP_"))} | {"YOKE_PROFILE": "none"}
    subprocess.run([program, *GRID, "--cus", cus, "--devices", devices, "--schedule", schedule, "--quiet", "--json",
                    path], check=True, env=environment, timeout=300)
    with open(path, encoding="utf-8") as file:
        return json.dumps(json.load(file)["norms"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = {norms(sys.argv[1], os.path.join(folder, "run.json"), *run) for run in RUNS}
    print("\n".join(found))
    return 0 if len(found) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
