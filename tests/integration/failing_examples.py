#!/usr/bin/env python3
"""An example whose device fails at any call ends with a message and status 1, and never by a signal.

    failing_examples.py PROGRAM [argument...]
"""
import os
import subprocess
import sys

KINDS = ("fail-copy", "fail-launch", "fail-alloc")
CALLS = (1, 2, 3, 5, 7, 12, 20)


def run(command, fault):
    environment = os.environ | {"YOKE_EMULATED": fault}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def main(command):
    failed, wrong = 0, []
    for fault in (f"{kind}={call}" for kind in KINDS for call in CALLS):
        done = run(command, fault)
        failed += done.returncode == 1
        if done.returncode not in (0, 1) or (done.returncode == 1 and "emulated:0" not in done.stderr):
            wrong.append(f"YOKE_EMULATED={fault}: exit {done.returncode}\n{done.stderr[-500:]}")
    print("\n".join(wrong))
    assert failed > 0, "no call failed"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
