#!/usr/bin/env python3
"""Predicts NPB-MZ on more GPUs than were at hand, by `yoke simulate`.

    scripts/more_gpus.py BIN                       SP, BT and LU, classes D and E, on up to eight H200s
    scripts/more_gpus.py BIN --classes C --schedules auto,cost --json FILE

BIN is the folder of the programs. The GPU is calibrated from one run of each benchmark on one of them (--runs), the ways between
memories are those that were measured (--host-link, --device-link, GB/s). Faces between GPUs go directly or, beside that, through host
memory. A configuration that has no room for the zones is left out.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import record

BENCHMARKS = ("sp", "bt", "lu")
GPUS = (1, 2, 4, 8)
ROUTES = ("direct", "host")
GIGA = 1e9
MEMORY = 139 * 2**30  # of an H200, bytes
LATENCY = 1e-5        # of a copy, seconds


def fail(message):
    sys.exit(f"more_gpus.py: {message}")


def told(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        fail(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr.strip()}")
    return json.loads(done.stdout) if done.stdout else {"schedules": []}  # where the zones have no room, a message says so


def machine_of(args, benchmark, route):
    run = args.runs / f"h200-{benchmark}-D.json"
    machine = told([args.bin / "yoke", "simulate", "--calibrate", run])
    gpu = next(group for group in machine["groups"] if group["kind"] == "gpu")
    gpu |= {"count": max(GPUS), "memory": MEMORY, "link": {"bandwidth": args.host_link * GIGA, "latency": LATENCY}}
    between = {"between_devices": {"bandwidth": args.device_link * GIGA}} if route == "direct" else {}
    return {"schema": machine["schema"], "name": f"eight H200s, {route}", "groups": [gpu], **between}


def rows_of(args, folder, benchmark, letter, route):
    path = folder / f"{benchmark}-{route}.json"
    path.write_text(json.dumps(machine_of(args, benchmark, route)), encoding="utf-8")
    schedules = [word for name in args.schedules for word in ("--schedule", name)]
    for gpus in GPUS:
        found = told([args.bin / "yoke", "simulate", "--machine", path, "--class", f"{benchmark}:{letter}".upper(), "--cus", f"+{gpus}",
                      "--passes", args.passes, *schedules, "--json"])
        for row in found["schedules"]:
            if row["undone"] == 0 and row["bytes_too_many"] == 0:
                yield {"benchmark": benchmark, "class": letter, "route": route, "gpus": gpus, "schedule": row["schedule"],
                       "ms": 1e3 * row["pass_s"], "bytes_a_pass": row["bytes"]}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--classes", type=lambda text: text.upper().split(","), default=["D", "E"])
    parser.add_argument("--schedules", type=lambda text: text.split(","), default=["auto", "partition", "static"])
    parser.add_argument("--passes", type=int, default=100)
    parser.add_argument("--runs", type=pathlib.Path, default=record.ROOT / "docs/results/2026-11-21")
    parser.add_argument("--host-link", type=float, default=53)
    parser.add_argument("--device-link", type=float, default=374)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    if not (args.bin / "yoke").is_file():
        fail(f"{args.bin}: no yoke there; wanted the folder of the programs, build/release/bin say")
    for benchmark in BENCHMARKS:
        if not (args.runs / f"h200-{benchmark}-D.json").is_file():
            fail(f"--runs {args.runs}: no h200-{benchmark}-D.json there; wanted the JSON of a run on one GPU")
    return args


def main():
    args = parse()
    made = record.of_script()
    with tempfile.TemporaryDirectory() as name:
        rows = [row for benchmark in BENCHMARKS for letter in args.classes for route in ROUTES
                for row in rows_of(args, pathlib.Path(name), benchmark, letter, route)]
    for row in rows:
        print(f"{row['benchmark'].upper()}-MZ {row['class']}  {row['route']:7} +{row['gpus']} {row['schedule']:10} {row['ms']:10.3f} ms "
              f"{row['bytes_a_pass'] / 1e6:8.1f} MB")
    if args.json:
        args.json.write_text(json.dumps({"schema": "yoke-more-gpus/1", "record": made, "host_link": args.host_link,
                                         "device_link": args.device_link, "runs": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
