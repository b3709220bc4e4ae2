"""CPUs beside H200s: what they add, and in which form."""

import statistics

from figures.data import figure, ranged, rate, table
from figures.h200 import time_of_yoke

PRODUCT = "2026-11-26/h200-product.json"
TEAMS = "2026-11-26/h200-x2-sp-teams.json"
GAIN = "2026-11-26/h200-sp-gain.json"


@figure
def product_beside_gpu(data):
    """Milliseconds of all runs; the gain of one CU of 15 CPUs is over what it does alone."""
    times = {}
    for run in data[PRODUCT]["runs"]:
        for app in run["apps"]:
            times.setdefault((app["shape"], run["cus"]), []).append(1e3 * time_of_yoke(app))
    rows = []
    for shape in sorted({shape for shape, _ in times}, key=len):
        alone, both, cpus = (statistics.median(times[shape, cus]) for cus in ("+1", "1x15+1", "1x15"))
        each = [", ".join(f"{t:.1f}" for t in times[shape, cus]) for cus in ("+1", "1x15+1", "15x1+1")]
        rows.append([shape, *each, f"{cpus:.0f}", f"{cpus / both - cpus / alone:.2f}"])
    return table(["elements", "`+1`, ms", "`1x15+1`", "`15x1+1`", "`1x15`", "CPU gain of `1x15+1`"], rows)


@figure
def teams_beside_gpus(data):
    """Over the GPUs alone in the same call; each call on another machine."""
    rows = []
    for call in data[TEAMS]["calls"]:
        found = {}
        for run in call["runs"]:
            found.setdefault((run["cus"], run["schedule"]), []).append(run["mops"])
        alone = statistics.median(found.pop(("+2", "static")))
        rows.append([rate(alone), ", ".join(f"`{cus}` {schedule}: {statistics.median(mops) / alone:.3f}"
                                            for (cus, schedule), mops in found.items())])
    return table(["`+2`, `static`, Mop/s", "over that"], rows)


@figure
def gain_by(data, which):
    """Of class D of SP-MZ on one H200: run by run."""
    found = {}
    for run in data[GAIN]["calls"][0]["runs"]:
        found.setdefault(run["name"].partition(".")[0], []).append(run["mops"])
    cpus = statistics.median(found["cpus"])
    return ranged([(both - alone) / cpus for both, alone in zip(found[which], found["gpu"])])
