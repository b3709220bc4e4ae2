#!/usr/bin/env python3
"""NPB-MZ on devices with as much memory on chip as a block has on GPUs: the same bits, or a refusal with the numbers.

shared_memory.py SP-MZ BT-MZ LU-MZ...

48 KiB is what a block has without asking; 99 KiB an A40 or L40, 163 KiB an A100, 227 KiB an H100 or B200.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import without_settings

GPUS = [99, 163, 227]
NEED_MORE_THAN_48 = {"bt-mz", "lu-mz"}
PROBLEM = ["--grid", "84x72x20", "--zones", "2x2", "--steps", "3", "--cus", "+1", "--devices", "emulated:1"]


def run(program, kib):
    """Exit status, the norms as text, and stderr."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        done = subprocess.run([program, *PROBLEM, "--quiet", "--json", path], capture_output=True, text=True, timeout=300,
                              env=without_settings() | {"YOKE_EMULATED": f"shared-memory={kib}KiB"}, check=False)
        if done.returncode != 0:
            return done.returncode, None, done.stderr
        with open(path, encoding="utf-8") as file:
            return 0, json.dumps(json.load(file)["norms"]), done.stderr


def check(program):
    expected = run(program, 1024)
    assert expected[0] == 0, expected
    for kib in GPUS:
        assert run(program, kib)[:2] == expected[:2], f"{program} with {kib} KiB"
    status, norms, message = run(program, 48)
    if os.path.basename(program) not in NEED_MORE_THAN_48:
        assert (status, norms) == expected[:2], f"{program} with 48 KiB: {message}"
    else:
        assert status == 1 and "bytes of shared memory a block; a block has at most 49152 there" in message, message


def main():
    for program in sys.argv[1:]:
        check(program)
    print(f"{len(sys.argv) - 1} programs fit the memory on chip of {GPUS} KiB a block")


if __name__ == "__main__":
    main()
