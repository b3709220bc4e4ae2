#!/usr/bin/env python3
"""Compares what `yoke simulate --nodes 2` says of SP-MZ with two ranks of 1x1 on this machine.

    scripts/check_exchange.py BUILD [--classes W,A] [--runs 7] [--json FILE] [--mpiexec "mpirun …"]

The machine: seconds of a weight from one rank that has all zones; the network from messages of the sizes of link_program, which
two ranks exchange. Each run has all of these by turns, and a prediction of its own.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import record

MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "YOKE_CUS": "1x1", "YOKE_PROFILE": "none"}


def told(command):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(record.VARIABLES)}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=kept | MPI)
    if done.returncode != 0:
        sys.exit(f"check_exchange.py: {' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def line_through(points):
    """Bytes and seconds: what no byte takes, and bytes a second; each point as close in proportion as the others."""
    weights = [1 / seconds**2 for _, seconds in points]
    total = sum(weights)
    x = sum(w * b for w, (b, _) in zip(weights, points)) / total
    y = sum(w * s for w, (_, s) in zip(weights, points)) / total
    slope = sum(w * (b - x) * (s - y) for w, (b, s) in zip(weights, points)) / sum(w * (b - x)**2 for w, (b, _) in zip(weights, points))
    return max(y - slope * x, 0), 1 / max(slope, 1e-15)


def step_of(args, folder, ranks, letter):
    out = folder / "run.json"
    launcher = [*args.mpiexec, "-n", ranks] if ranks > 1 else []
    told([*launcher, args.build / "bin/sp-mz", "--class", letter, "--march", "zones", "--quiet", "--json", out])
    run = json.loads(out.read_text(encoding="utf-8"))
    return run["seconds"] / run["iterations"]


def weight_of(args, folder, letter):
    """All inner points: what a machine of a second for each would take."""
    path = folder / "unit.json"
    path.write_text(json.dumps({"schema": "yoke-machine/1", "groups": [{"kind": "cpu", "count": 1, "per_weight": 1}]}), encoding="utf-8")
    return predicted(args, path, letter, 1)["compute_s"]


def predicted(args, machine, letter, nodes):
    return json.loads(told([args.build / "bin/yoke", "simulate", "--machine", machine, "--class", f"SP:{letter}", "--cus", "1x1", "--nodes",
                            nodes, "--json"]))["rows"][-1]


def one_run(args, folder, letter):
    link = [tuple(map(float, line.split())) for line in told([*args.mpiexec, "-n", 2, args.build / "tests/link_program"]).splitlines()]
    alone, together = step_of(args, folder, 1, letter), step_of(args, folder, 2, letter)
    latency, bandwidth = line_through(link)
    machine = folder / "machine.json"
    machine.write_text(json.dumps({"schema": "yoke-machine/1", "groups": [
        {"kind": "cpu", "count": 1, "per_weight": alone / weight_of(args, folder, letter)}],
        "network": {"bandwidth": bandwidth, "latency": latency, "hop": 0, "message": 0}}), encoding="utf-8")
    row = predicted(args, machine, letter, 2)
    return {"class": letter, "one_rank_s": alone, "two_ranks_s": together, "predicted_s": row["step_s"], "bytes": row["bytes"],
            "exchange_s": row["exchange_s"], "latency": latency, "bandwidth": bandwidth, "link": link, "load": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mpiexec", type=str.split, default="mpirun --map-by slot:PE=1 --bind-to core".split())
    parser.add_argument("--classes", type=lambda text: text.upper().split(","), default=["W", "A"])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    made = record.of_script()
    with tempfile.TemporaryDirectory() as name:
        runs = [one_run(args, pathlib.Path(name), letter) for letter in args.classes for _ in range(args.runs)]
    for letter in args.classes:
        ratios = sorted(run["predicted_s"] / run["two_ranks_s"] for run in runs if run["class"] == letter)
        print(f"SP-MZ {letter}: predicted over measured {statistics.median(ratios):.3f}, {ratios[0]:.3f} to {ratios[-1]:.3f} in {len(ratios)} runs")
    if args.json:
        args.json.write_text(json.dumps({"schema": "yoke-exchange/1", "record": made, "runs": runs}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
