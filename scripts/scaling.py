#!/usr/bin/env python3
"""NPB-MZ on up to 1024 nodes of two H200s, by `yoke simulate --nodes`: strong scaling of classes D, E and F, weak scaling of D.

    scripts/scaling.py BIN --json FILE    the figures, where BIN has yoke
    scripts/scaling.py --plot FILE SVG    what they come to, by matplotlib, from the JSON

A GPU is calibrated from one run of each benchmark (--runs). The network is that which the command assumes.
"""
import argparse
import json
import pathlib
import tempfile

import more_gpus
import record

MACHINE = {"host_link": 53, "device_link": 374}  # measured, GB/s


def machine_of(folder, args, benchmark):
    made = more_gpus.machine_of(argparse.Namespace(bin=args.bin, runs=args.runs, **MACHINE), benchmark, "direct")
    made["name"] = "two H200"
    made["groups"][0]["count"] = 2
    path = folder / f"{benchmark}.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def measure(args):
    made = record.of_script()
    runs = []
    with tempfile.TemporaryDirectory() as name:
        for benchmark in more_gpus.BENCHMARKS:
            machine = machine_of(pathlib.Path(name), args, benchmark)
            for letter, weak in (("D", False), ("E", False), ("F", False), ("D", True)):
                runs.append(more_gpus.told([args.bin / "yoke", "simulate", "--machine", machine, "--class", f"{benchmark}:{letter}".upper(),
                                            "--nodes", 1024, *["--weak"] * weak, "--json"]))
    args.json.write_text(json.dumps({"schema": "yoke-scaling/1", "record": made, **MACHINE, "runs": runs}, indent=1) + "\n",
                         encoding="utf-8")


def plot(source, target):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "svg.fonttype": "path",
                            "svg.hashsalt": "yoke"})
    runs = json.loads(source.read_text(encoding="utf-8"))["runs"]
    figure, panels = pyplot.subplots(1, 3, figsize=(11, 3.4), sharey=True, layout="constrained")
    for panel, name in zip(panels, ("SP-MZ", "BT-MZ", "LU-MZ")):
        for run, colour in zip([each for each in runs if each["tasks"].startswith(name)], ("#0072B2", "#E69F00", "#009E73", "#666666")):
            kind = "D's zones a node" if run["weak"] else run["tasks"].rsplit(" ", 1)[-1]
            panel.plot([row["nodes"] for row in run["rows"]], [row["efficiency"] for row in run["rows"]], color=colour, label=kind,
                       linestyle="--" if run["weak"] else "-", marker="o", markersize=3)
        panel.set_xscale("log", base=2)
        panel.set_title(name)
        panel.set_xlabel("nodes of two H200s")
        panel.set_ylim(0, 1.05)
        panel.grid(color="#dddddd", linewidth=0.8)
    panels[0].set_ylabel("efficiency")
    panels[0].legend(frameon=False, title="class")
    figure.savefig(target, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, nargs="?")
    parser.add_argument("--runs", type=pathlib.Path, default=record.ROOT / "docs/results/2026-11-21")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path, nargs=2, metavar=("FILE", "SVG"))
    args = parser.parse_args()
    if args.plot:
        plot(*args.plot)
    elif args.bin and args.json:
        measure(args)
    else:
        parser.error("BIN and --json FILE, or --plot FILE SVG")


if __name__ == "__main__":
    main()
