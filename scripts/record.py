"""What the JSON of a script says of its machine, as "record" in the JSON of programs (benchmarks/record/record.hpp).

Programs of ours name their own commit, compiler, devices and settings; `of_program` takes these from the JSON of one run.
"""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_RUN = {"YOKE_PROFILE": "none"}  # of what is measured, unless the caller's environment names a profile
VARIABLES = ("YOKE_", "OMP_", "KMP_", "CUDA_", "HIP_", "ROCR_")


def commit(root=ROOT):
    """Of the scripts; "unknown" where they are no clone."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False).stdout.strip()

    if shutil.which("git") is None or os.path.realpath(git("rev-parse", "--show-toplevel") or "/") != os.path.realpath(root):
        return "unknown"
    return git("describe", "--always", "--tags", "--dirty", "--abbrev=10") or "unknown"


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            return next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "unknown")
    except OSError:
        return platform.processor() or "unknown"


def valid(text):
    """Of a word or variable, which may hold any bytes: those that are no UTF-8 as \\xNN, as Yoke's own programs write them."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def of_script():
    """Of the running script, to be asked before it measures, since its own work is load."""
    return {"commit": commit(), "command": [valid(word) for word in (os.path.basename(sys.argv[0]), *sys.argv[1:])],
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "host": {"cpu": cpu_model(), "cpus": len(os.sched_getaffinity(0)), "cpus_online": os.cpu_count(),
                     "load": list(os.getloadavg())},
            "variables": {valid(name): valid(value) for name, value in sorted(os.environ.items()) if name.startswith(VARIABLES)}}


def of_program(path):
    """What a run's JSON says of itself; None where there is none, as of another project's program."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file).get("record")
    except (OSError, ValueError):
        return None
