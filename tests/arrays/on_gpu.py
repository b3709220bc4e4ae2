#!/usr/bin/env python3
"""Arrays on real GPUs: random loops beside the serial model, applications beside plain OpenMP, and a solver whose bits are
the same on CPUs, on one GPU, on both kinds together and on two GPUs where there are two.

on_gpu.py cuda|hip FOLDER_OF_TESTS FOLDER_OF_PROGRAMS
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from clean import without_settings  # noqa: E402


def run(command, cus, devices):
    environment = without_settings() | {"YOKE_CUS": cus, "YOKE_DEVICES": devices}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=500, check=False)


def must_run(command, cus, devices):
    done = run(command, cus, devices)
    assert done.returncode == 0, f"{command} {cus} {devices}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def configurations(vendor, jacobi):
    cpus = len(os.sched_getaffinity(0))
    one = run([jacobi, "8", "8", "1"], "+1", f"{vendor}:0")
    if "no such device" in one.stderr:
        print(f"[skipped] {one.stderr.strip()} [all skipped]")
        sys.exit(0)
    found = [("+1", f"{vendor}:0")]
    if cpus >= 3:
        found.append(("2x1+1", f"{vendor}:0"))
    if run([jacobi, "8", "8", "1"], "+2", f"{vendor}:0,1").returncode == 0:
        found += [("+2", f"{vendor}:0,1")] + ([("1x2+2", f"{vendor}:0,1")] if cpus >= 4 else [])
    return found


def main():
    vendor, tests, programs = sys.argv[1:]
    jacobi = os.path.join(programs, "yoke-jacobi")
    bits = set()
    for cus, devices in [("1x1", "none"), *configurations(vendor, jacobi)]:
        said = must_run([jacobi, "517", "2049", "40"], cus, devices)
        bits.add(re.search(r"error \S+, .*bits \w+", said)[0])
        if devices != "none":
            must_run([os.path.join(tests, "arrays_tests"), "~[faults]"], cus, devices)
            print(must_run([os.path.join(programs, "yoke-bench-apps"), "--cus", cus, "--devices", devices, "--pairs", "3"],
                           cus, devices), end="")
        print(f"{cus} {devices}: {said.strip()}")
    assert len(bits) == 1, bits


if __name__ == "__main__":
    main()
