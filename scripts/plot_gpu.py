#!/usr/bin/env python3
"""Draws the rates of NPB-MZ runs beside those of other programs: one group of bars for each benchmark.

    scripts/plot_gpu.py [--peers FILE] [--title TEXT] -o rates.svg|rates.png RUN.json...

RUN.json is what `--json` of a benchmark writes. Of several runs of a benchmark with the same kind of configuration (GPU
alone, GPU and CPUs, CPUs alone) the fastest is drawn. FILE holds a list of {"name", "benchmark", "class", "mops"}: bars
to the left of ours, in the order of the file; with "kind": "floor" a line over the group, what the machine allows. Bars
of another class, or of runs without a verdict, say so.
"""
import argparse
import json
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(f"plot_gpu.py: {sys.executable} has no matplotlib; on Debian: apt-get install python3-matplotlib, then "
             "/usr/bin/python3 scripts/plot_gpu.py ...")
matplotlib.use("agg")
matplotlib.rcParams["svg.hashsalt"] = "yoke"  # the same figures give the same file
from matplotlib import pyplot  # noqa: E402

KINDS = ["CPUs alone", "GPU alone", "GPU and CPUs"]
COLOURS = {"CPUs alone": "#56b4e9", "GPU alone": "#0072b2", "GPU and CPUs": "#d55e00"}
PEER_COLOURS = ["#999999", "#c8c8c8", "#6e6e6e", "#e0e0e0"]


def fail(message):
    sys.exit(f"plot_gpu.py: {message}")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as reason:
        fail(f"{path}: {reason}")


def kind_of(cus):
    cpus, plus, _ = cus.partition("+")
    return "CPUs alone" if not plus else "GPU and CPUs" if cpus else "GPU alone"


def run_of(path):
    result = read(path)
    if not isinstance(result, dict) or result.get("schema") != "yoke-npb/1":
        fail(f"{path}: not a result of an NPB-MZ benchmark (schema yoke-npb/1)")
    if result["verification"] == "UNSUCCESSFUL":
        fail(f"{path}: not verified, so its rate means nothing")
    note = "" if result["verification"] == "SUCCESSFUL" else f"{result['iterations']} steps"
    return {"name": kind_of(result["cus"]), "benchmark": result["benchmark"], "class": result["class"],
            "mops": result["mops"], "note": note}


def peers_of(path):
    """Bars and floors of a file of peers."""
    peers = read(path)
    for peer in peers:
        missing = {"name", "benchmark", "class", "mops"} - set(peer)
        if missing:
            fail(f"{path}: {peer} lacks {', '.join(sorted(missing))}")
        peer.setdefault("note", "")
    return ([p for p in peers if p.get("kind") != "floor"], [p for p in peers if p.get("kind") == "floor"])


def classes_noted(bars, letter):
    for bar in bars:
        if bar["class"] != letter:
            bar["note"] = ", ".join(filter(None, [f"class {bar['class']}", bar["note"]]))


def fastest(bars, letter):
    """One bar for each name and benchmark, of this class where there is one."""
    best = {}
    for bar in sorted(bars, key=lambda bar: (bar["class"] == letter, bar["mops"])):
        best[bar["name"], bar["benchmark"]] = bar
    return best


def colours_of(names):
    peers = [n for n in names if n not in COLOURS]
    return COLOURS | {n: PEER_COLOURS[i % len(PEER_COLOURS)] for i, n in enumerate(peers)}


def draw_bars(axes, bars, names, benchmarks):
    """The bars that there are, without gaps, centred on their benchmark; returns where each group begins and ends."""
    width, colours = 0.8 / len(names), colours_of(names)
    ends = {}
    for group, benchmark in enumerate(benchmarks):
        present = [n for n in names if (n, benchmark) in bars]
        left = group - width * len(present) / 2
        ends[benchmark] = left, left + width * len(present)
        for i, name in enumerate(present):
            bar = bars[name, benchmark]
            middle = left + width * (i + 0.5)
            axes.bar(middle, bar["mops"] / 1e6, width * 0.92, color=colours[name])
            text = f"{bar['mops'] / 1e6:.2f}" + (f"\n{bar['note']}" if bar["note"] else "")
            axes.annotate(text, (middle, bar["mops"] / 1e6), (0, 2), textcoords="offset points", ha="center",
                          va="bottom", fontsize=8)
    return ends


def draw_floors(axes, floors, ends):
    for floor in floors:
        if floor["benchmark"] not in ends:
            continue
        begin, end = ends[floor["benchmark"]]
        height = floor["mops"] / 1e6
        axes.hlines(height, begin, end, colors="black", linestyles="dashed", linewidth=1)
        axes.annotate(f"{floor['name']} {height:.1f}", (begin, height), (0, 2), textcoords="offset points",
                      ha="left", va="bottom", fontsize=8, style="italic")


def draw(bars, floors, letter, title, out):
    present = {name for name, _ in bars}
    names = [n for n in dict.fromkeys(name for name, _ in bars) if n not in KINDS] + [k for k in KINDS if k in present]
    drawn = {benchmark for _, benchmark in bars}
    benchmarks = [b for b in ("SP-MZ", "BT-MZ", "LU-MZ") if b in drawn]
    figure, axes = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    ends = draw_bars(axes, bars, names, benchmarks)
    draw_floors(axes, floors, ends)
    handles = [matplotlib.patches.Patch(color=colours_of(names)[n], label=n) for n in names]
    axes.legend(handles=handles, frameon=False, loc="upper left")
    axes.set_xticks(range(len(benchmarks)), benchmarks)
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel(f"benchmark, class {letter}")
    axes.set_ylabel("rate, million Mop/s total")
    axes.margins(y=0.15)
    axes.spines[["top", "right"]].set_visible(False)
    if title:
        axes.set_title(title)
    figure.savefig(out, dpi=150, metadata={"Date": None} if out.suffix == ".svg" else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json")
    parser.add_argument("--peers", metavar="FILE", help="rates of other programs, and floors")
    parser.add_argument("--title", help="text above the plot")
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, help="file to write, .svg or .png")
    asked = parser.parse_args()
    if asked.out.suffix not in (".svg", ".png"):
        parser.error(f"-o {asked.out}: .svg or .png")
    runs = [run_of(path) for path in asked.runs]
    letters = sorted({r["class"] for r in runs})
    if len(letters) > 1:
        fail(f"runs of classes {', '.join(letters)}: one class, please")
    peers, floors = peers_of(asked.peers) if asked.peers else ([], [])
    classes_noted(peers, letters[0])
    draw(fastest(peers + runs, letters[0]), floors, letters[0], asked.title, asked.out)


if __name__ == "__main__":
    main()
