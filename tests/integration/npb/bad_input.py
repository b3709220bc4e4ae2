#!/usr/bin/env python3
"""What SP-MZ says to bad input: exit status, one message on stderr, and what it names.

bad_input.py SP-MZ
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

EMULATED = ["--devices", "emulated:1"]
SMALL = ["--class", "S", "--cus"]

# arguments, environment, exit status, what the message must contain
CASES = [
    (["--class", "Q"], {}, 2, ["--class Q", "S, W, A, B, C, D, E, F"]),
    (["--class", "SS"], {}, 2, ["--class SS"]),
    (["--steps", "-3"], {}, 2, ["--steps -3", "whole number from 1"]),
    (["--steps", "1e99"], {}, 2, ["--steps 1e99", "whole number from 1"]),
    (["--steps", "0"], {}, 2, ["--steps 0"]),
    (["--steps", "99999999999999999999"], {}, 2, ["--steps 99999999999999999999"]),
    (["--steps"], {}, 2, ["--steps"]),
    (["--speed", "3"], {}, 2, ["--speed", "no such option"]),
    (["W"], {}, 2, ["W: not an option"]),
    (["--schedule", "fastest"], {}, 2, ["--schedule", "fastest", "memorizing", "static-hybrid"]),
    (["--schedule", "dynamic,chunk=0"], {}, 2, ["--schedule", "chunk"]),
    (["--schedule", "dynamic,size=3"], {}, 2, ["--schedule", "size"]),
    (["--schedule", "static-hybrid,pcf=0"], {}, 2, ["pcf"]),
    (["--schedule", "static-hybrid,pcf=-2"], {}, 2, ["pcf"]),
    (["--schedule", "static-hybrid,pcf=nan"], {}, 2, ["pcf"]),
    (["--exchange", "never"], {}, 2, ["--exchange never", "dataflow, barrier"]),
    (["--peer-faces", "slow"], {}, 2, ["--peer-faces slow", "direct, host, frozen"]),
    (["--grid", "12"], {}, 2, ["--grid 12", "XxYxZ"]),
    (["--grid", "12x12x0"], {}, 2, ["--grid 12x12x0"]),
    (["--grid", "24x24x6", "--zones", "8x2"], {}, 2, ["6"]),
    (["--zones", "0x2"], {}, 2, ["--zones 0x2", "XxY"]),
    (["--profile", ""], {}, 2, ["--profile", "the path is empty", "none"]),
    (["--class", "S"], {"YOKE_PROFILE": ""}, 2, ["YOKE_PROFILE=", "the path is empty"]),
    (["--json", "missing/run.json"], {}, 2, ["--json missing/run.json"]),
    (["--trace", "missing/run.json"], {}, 2, ["--trace missing/run.json"]),
    # a.json is there, soft.json and hard.json are links to it.
    (["--json", "a.json", "--trace", "./a.json"], {}, 2, ["--json a.json", "--trace ./a.json", "give two files"]),
    (["--json", "new.json", "--trace", "new.json"], {}, 2, ["--json new.json", "--trace new.json"]),
    (["--json", "soft.json", "--trace", "a.json"], {}, 2, ["--json soft.json", "--trace a.json"]),
    (["--json", "a.json", "--trace", "hard.json"], {}, 2, ["--json a.json", "--trace hard.json"]),
    (["--json", "new.json", "--cus", "1x1+9"], {}, 2, ["--cus 1x1+9"]),
    (["--json", "a.json"], {"YOKE_TRACE": "soft.json"}, 2, ["--json a.json", "YOKE_TRACE=soft.json"]),
    (SMALL + ["7x"], {}, 2, ["--cus 7x", "NxM"]),
    (SMALL + ["0x2+1"], {}, 2, ["--cus 0x2+1"]),
    (SMALL + ["1x1+1x2"], {}, 2, ["--cus 1x1+1x2"]),
    (SMALL + ["9999x2"], {}, 2, ["--cus 9999x2", "largest"]),
    (SMALL + ["1x1+2"] + EMULATED, {}, 2, ["1x1+2", "emulated:1"]),
    (SMALL + ["1x1+1", "--devices", "none"], {}, 2, ["1x1+1"]),
    (SMALL + ["1x1+1", "--devices", "emulated"], {}, 2, ["--devices emulated"]),
    (SMALL + ["1x1+1", "--devices", "warp:1"], {}, 2, ["--devices warp:1"]),
    (SMALL + ["1x1+1", "--devices", "hip:0/2:1"], {}, 2, ["--devices hip:0/2:1", "-DYOKE_GPU=hip"]),
    (SMALL + ["1x1"], {"YOKE_CUSS": "1x1"}, 2, ["YOKE_CUSS", "YOKE_CUS"]),
    (["--class", "S"], {"YOKE_CUS": "7x"}, 2, ["YOKE_CUS=7x"]),
    (SMALL + ["1x1"], {"YOKE_SCHEDULE": "fastest"}, 2, ["YOKE_SCHEDULE=fastest"]),
    (SMALL + ["1x1"], {"YOKE_DEVICES": "emulated:x"}, 2, ["YOKE_DEVICES=emulated:x"]),
    (SMALL + ["1x1+1"] + EMULATED, {"YOKE_EMULATED": "memory=lots"}, 2, ["YOKE_EMULATED", "memory"]),
    (SMALL + ["2x1"], {"OMP_PLACES": "{0}", "OMP_PROC_BIND": "close,master"}, 2, ["OMP_PLACES"]),
    (SMALL + ["1x1"], {"OMP_PROC_BIND": "false"}, 2, ["OMP_PROC_BIND"]),
    # Memory, before anything is allocated, with the numbers.
    (["--class", "F", "--cus", "2x1", "--devices", "none"], {}, 1, ["SP-MZ class F does not fit", "host memory: ", "would fit"]),
    (["--class", "A", "--cus", "1x1+1", "--schedule", "static"] + EMULATED, {"YOKE_EMULATED": "memory=4MiB"}, 1,
     ["emulated:0", "bytes", "free"]),
    (["--class", "A", "--cus", "+1", "--schedule", "memorizing"] + EMULATED, {"YOKE_EMULATED": "memory=24MiB"}, 1,
     ["SP-MZ class A does not fit", "16 zones need", "emulated:0: ", "free for", "class W would fit"]),
    (SMALL + ["2x1+1"] + EMULATED, {"YOKE_EMULATED": "memory=64KiB"}, 1,
     ["too little is free beside zones on emulated:0: leave that out"]),
    # While running: failing calls of a device.
    (SMALL + ["1x1+1", "--schedule", "memorizing"] + EMULATED, {"YOKE_EMULATED": "fail-alloc=1"}, 1, ["emulated:0"]),
    (SMALL + ["1x1+1"] + EMULATED, {"YOKE_EMULATED": "fail-copy=3"}, 1, ["emulated:0"]),
    (SMALL + ["1x1+1", "--schedule", "static", "--no-graph"] + EMULATED, {"YOKE_EMULATED": "fail-copy=150"}, 1, ["emulated:0"]),
    (SMALL + ["1x1+1"] + EMULATED, {"YOKE_EMULATED": "fail-launch=1"}, 1, ["emulated:0"]),
    (SMALL + ["1x1+1", "--schedule", "static"] + EMULATED, {"YOKE_EMULATED": "fail-launch=30"}, 1, ["emulated:0"]),
    (SMALL + ["2x1+1", "--schedule", "static"] + EMULATED, {"YOKE_EMULATED": "lost-after=200"}, 1, ["emulated:0"]),
]
# Too little device memory is a failure of the run under every schedule: how much is free is not the user's choice.
CASES += [(["--class", "W", "--cus", "+1", "--schedule", schedule] + EMULATED, {"YOKE_EMULATED": "memory=1MiB"}, 1,
           ["bytes", "does not fit into memory"])
          for schedule in ("static", "dynamic", "memorizing", "pool", "cost", "static-hybrid")]


def make_files(folder):
    with open(os.path.join(folder, "a.json"), "w", encoding="utf-8") as file:
        file.write("{}")
    os.symlink("a.json", os.path.join(folder, "soft.json"))
    os.link(os.path.join(folder, "a.json"), os.path.join(folder, "hard.json"))


def complaint(program, arguments, variables, status, wanted):
    """None when the program behaves, else what it did."""
    environment = without_settings()
    environment.update(variables)
    try:
        with tempfile.TemporaryDirectory() as folder:
            make_files(folder)
            before = set(os.listdir(folder))
            done = subprocess.run([program] + arguments, capture_output=True, text=True, env=environment, timeout=120,
                                  cwd=folder)
            left = sorted(set(os.listdir(folder)) - before)
    except subprocess.TimeoutExpired:
        return "hangs"
    message = done.stderr
    if done.returncode != status:
        return f"exit {done.returncode} instead of {status}: {message}"
    if not message.startswith("sp-mz: ") or message.count("sp-mz: ") != 1:
        return f"not one message that begins with 'sp-mz: ': {message}"
    if left:
        return f"leaves {left}"
    missing = [text for text in wanted if text not in message]
    return f"{missing} not in: {message}" if missing else None


def main():
    failures = 0
    for arguments, variables, status, wanted in CASES:
        found = complaint(sys.argv[1], arguments, variables, status, wanted)
        if found is not None:
            failures += 1
            print(f"{variables or ''} {' '.join(arguments)}: {found.strip()}")
    print(f"{len(CASES) - failures} of {len(CASES)} bad inputs are refused as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
