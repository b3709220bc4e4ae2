#!/usr/bin/env python3
"""A benchmark under every schedule and configuration: verified, and with the same bits.

matrix.py S|S-slices|S-many|W-part|W|W-slices|W-many|A-once|A|B-once PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

CONFIGURATIONS = ["2x1", "1x2", "1x1+1", "+1", "1x1+2", "2x1+1", "1x2+1"]
# Slices of one device and of two, a slice beside CPUs and beside a device, and two memory spaces on one device.
SLICED = ["+4 on emulated:1/4", "2x1+1 on emulated:1/4:1", "+4 on emulated:2/2", "1x1+3 on emulated:1/2;emulated:1",
          "+2 on emulated:1*2"]
# More devices than class S has zones, and as many as share those of class W.
MANY = ["+4", "+8", "2x1+4"]


def schedules_of(program, pcf=3):
    """Every schedule of the libraries' own list, plain and with each of its options."""
    done = subprocess.run([program], capture_output=True, text=True, env=without_settings() | {"YOKE_SCHEDULE": "help"},
                          timeout=60, check=False)
    listed = [line.strip().partition(":")[0].split(", ") for line in done.stderr.splitlines()
              if line.startswith("  ")]
    assert listed, f"YOKE_SCHEDULE=help {program} lists nothing: {done.stderr}"
    values = {"chunk": 2, "gpu_chunk": 1, "pcf": pcf, "bandwidth": 2}
    schedules = []
    for name, *options in listed:
        schedules.append(name)
        for option in options:
            key = option.partition("=")[0]
            schedules.append(f"{name},{key}={values[key]}")
    return schedules


def runs_of(what, schedules):
    """Class, and (configuration, schedule, exchange, other options) of every run."""
    everything = [(c, s, "dataflow", []) for c in CONFIGURATIONS for s in schedules]
    barrier = [(c, s, "barrier", []) for c in ("2x1", "1x1+1", "1x1+2") for s in ("memorizing", "dynamic")]
    direct = [("1x1+1", "memorizing", "dataflow", ["--no-graph"])]
    solo = [("2x1+1", "cost", "dataflow", ["--solo"])]
    some = [("2x1", "memorizing", "dataflow", []), ("1x1+1", "static-hybrid,pcf=3", "dataflow", []),
            ("+1", "memorizing", "dataflow", []), ("1x1+2", "dynamic", "barrier", [])]
    # Few zones on the emulated GPU, which is many times slower than a CPU CU.
    large = [("1x1+1", "static-hybrid,pcf=0.25", "dataflow", [])]
    sliced = [(c, s, "dataflow", []) for c in SLICED for s in schedules]
    sliced += [(c, s, "barrier", []) for c in SLICED[:2] for s in ("static", "dynamic")]
    sliced += [(SLICED[0], "static", "dataflow", ["--no-graph"]), (SLICED[1], "cost", "dataflow", ["--solo"])]
    many = [(c, s, "dataflow", []) for c in MANY for s in ("auto", "static", "cost", "pool", "partition")]
    return {
        "S-many": ("S", many),
        "W-many": ("W", many),
        "S-slices": ("S", sliced),
        "W-slices": ("W", sliced),
        "S": ("S", everything + barrier + direct + solo),
        "W-part": ("W", some),
        "W": ("W", everything + barrier + direct),
        "A-once": ("A", some[:1]),
        "A": ("A", everything),
        "B-once": ("B", large),
    }[what]


def run(program, letter, configuration, schedule, exchange, others, path):
    configuration, _, devices = configuration.partition(" on ")
    gpus = configuration.partition("+")[2]
    devices = devices or (f"emulated:{gpus}" if gpus else "none")
    command = [program, "--class", letter, "--cus", configuration, "--devices", devices, "--schedule", schedule,
               "--exchange", exchange, "--quiet", "--json", path] + others
    done = subprocess.run(command, capture_output=True, text=True, env=without_settings(), timeout=3600, check=False)
    if done.returncode != 0:
        return " ".join(command) + f": exit {done.returncode}\n{done.stdout}{done.stderr}", None
    with open(path, encoding="utf-8") as file:
        return None, json.load(file)


def check(result, letter, configuration):
    """What every verified run must say, and its norms as text."""
    assert result["schema"] == "yoke-npb/1" and result["class"] == letter
    assert result["verification"] == "SUCCESSFUL", result["verification"]
    assert result["cus"] == configuration.partition(" on ")[0]
    zones = len(result["tasks"])
    assert sorted(t["id"] for t in result["tasks"]) == list(range(zones))
    assert sum(u["tasks"] for u in result["units"]) == zones * result["iterations"]
    assert len(result["steps"]) == result["iterations"]
    for u in result["units"]:
        assert u["busy_s"] >= 0 and u["waiting_s"] >= 0 and u["busy_s"] + u["waiting_s"] <= result["seconds"], u
    return json.dumps(result["norms"])


def main():
    what, program = sys.argv[1], sys.argv[2]
    letter, runs = runs_of(what, schedules_of(program))
    failures, norms = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for configuration, schedule, exchange, others in runs:
            name = f"{configuration} {schedule} {exchange} {' '.join(others)}"
            failure, result = run(program, letter, configuration, schedule, exchange, others,
                                  os.path.join(folder, "run.json"))
            if failure is None:
                try:
                    norms.setdefault(check(result, letter, configuration), []).append(name)
                except AssertionError as broken:
                    failure = f"{name}: {broken!r}"
            if failure is not None:
                failures.append(failure)
    if len(norms) > 1:
        failures.append("the norms differ:\n" + "\n".join(f"{n}: {r}" for n, r in norms.items()))
    print("\n".join(failures) or f"{len(runs)} runs of class {letter}, verified, one set of norms")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
