#!/usr/bin/env python3
"""Draws what yoke-bench-task-size --json has written.

plot_task_size.py RUN.json PICTURE.svg        or .png; needs matplotlib
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend comes first)

# Okabe and Ito: told apart by colour-blind readers; markers tell them apart in print.
STYLES = [("#0072B2", "o"), ("#56B4E9", "s"), ("#009E73", "^"), ("#E69F00", "D"), ("#D55E00", "v"),
          ("#CC79A7", "P"), ("#666666", "X"), ("#000000", "*"), ("#8B6914", "h")]


def draw(run, path):
    figure, axes = plt.subplots(figsize=(9.5, 4.5), layout="constrained")
    for series, (colour, marker) in zip(run["series"], STYLES):
        points = series["points"]
        axes.plot([1e6 * p["task_s"] for p in points], [100 * p["efficiency"] for p in points], color=colour, marker=marker,
                  markersize=5, label=series["name"])
    axes.axhline(50, color="#999999", linewidth=0.8, linestyle="--")
    axes.annotate("METG(50%)", (axes.get_xlim()[1], 50), xytext=(-4, 3), textcoords="offset points", ha="right", color="#777777")
    axes.set_xscale("log")
    axes.set_ylim(0, 105)
    axes.set_xlabel("size of a task (µs)")
    axes.set_ylabel("efficiency (%)")
    axes.set_title(f"Efficiency against task size, {run['cus']}", fontweight="bold")
    axes.grid(color="#e5e5e5", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
