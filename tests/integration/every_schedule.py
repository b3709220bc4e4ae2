#!/usr/bin/env python3
"""A program that checks its own result, under every schedule, beside an emulated GPU.

every_schedule.py PROGRAM [ARGUMENT]…
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "npb"))
import matrix  # noqa: E402


def main():
    failures = 0
    schedules = matrix.schedules_of(sys.argv[1])
    for schedule in schedules:
        settings = {"YOKE_CUS": "1x1+1", "YOKE_DEVICES": "emulated:1", "YOKE_SCHEDULE": schedule}
        done = subprocess.run(sys.argv[1:], capture_output=True, text=True, env=matrix.without_settings() | settings,
                              timeout=300, check=False)
        if done.returncode != 0:
            failures += 1
            print(f"{schedule}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(schedules) - failures} of {len(schedules)} schedules give the right result")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
