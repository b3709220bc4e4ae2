"""CPUs beside a GPU in a loop over arrays: what they add."""

import statistics

from figures.data import figure, table
from figures.h200 import time_of_yoke

PRODUCT = "2026-11-26/h200-product.json"


@figure
def product_beside_gpu(data):
    """Milliseconds, medians of all runs; CPU gain: the loops a second that CPUs add over those that they do alone."""
    times = {}
    for run in data[PRODUCT]["runs"]:
        times.setdefault(run["cus"], []).extend(time_of_yoke(app) for app in run["apps"])
    alone, cpus = statistics.median(times["+1"]), min(times["15x1"])
    rows = []
    for cus in ("+1", "1x15+1", "15x1+1", "15x1"):
        gain = "" if cus in ("+1", "15x1") else f"{cpus / statistics.median(times[cus]) - cpus / alone:.2f}"
        rows.append([f"`{cus}`", ", ".join(f"{1e3 * time:.1f}" for time in times[cus]), gain])
    return table(["11136 x 11136", "ms, runs by turns", "CPU gain"], rows)
