"""CPUs beside H200s: what they add, and in which form."""

import statistics

from figures.choices import lost
from figures.data import NAMES, figure, ranged, rate, table
from figures.h200 import time_of_yoke

PRODUCT = "2026-11-26/h200-product.json"
TEAMS = "2026-11-26/h200-x2-sp-teams.json"
GAIN = "2026-11-27/h200-d-gain.json"
DEFAULT = "2026-11-27/h200-x2-default.json"
CLASS_C = "2026-11-27/h200-class-C.json"
EXCHANGE = "2026-11-27/h200-x2-exchange.json"


def found_in(call):
    """Rates by the name of a run without its number."""
    found = {}
    for run in call["runs"]:
        found.setdefault(run["name"].partition(".")[0], []).append(run["mops"])
    return found


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
def gains_in_class_d(data):
    """Over the GPU alone, and over what 15 CPUs make alone; a row of each benchmark on each machine."""
    rows = []
    for number, call in enumerate(data[GAIN]["calls"], 1):
        found = found_in(call)
        for benchmark, prefix in (("sp", ""), ("bt", "bt")):
            gpu, most = found[f"{prefix}gpu"], max(found[f"{prefix}cpus"])
            row = [f"{NAMES[benchmark]}, machine {number}", rate(statistics.median(gpu))]
            for name in ("default", "hand"):
                both = found.get(prefix + name)
                row += ["", ""] if both is None else [ranged([b / g for b, g in zip(both, gpu)]),
                                                      f"{statistics.median([(b - g) / most for b, g in zip(both, gpu)]):.2f}"]
            rows.append(row)
    return table(["", "GPU alone, Mop/s", "default over it", "CPU gain", "by hand over it", "CPU gain"], rows)


@figure
def default_on_two_gpus(data):
    """Runs by turns over those of two GPUs alone; their median over that of one GPU of the same call."""
    rows = []
    for call in data[DEFAULT]["calls"]:
        found = found_in(call)
        for benchmark in ("sp", "bt", "lu"):
            for letter in "dc":
                name = f"{benchmark}{letter}"
                if f"{name}-def" not in found:
                    continue
                alone = found[f"{name}-p2"]
                by_hand = [hand / other for hand, other in zip(found.get(f"{name}-hand", []), alone)]
                one = found.get(f"{name}-g1")
                rows.append([NAMES[benchmark], letter.upper(), rate(statistics.median(alone)),
                             ranged([run / other for run, other in zip(found[f"{name}-def"], alone)]),
                             ranged(by_hand) if by_hand else "",
                             f"{statistics.median(found[f'{name}-def']) / statistics.median(one):.3f}" if one else ""])
    return table(["", "class", "GPUs alone, Mop/s", "default over them", "by hand over them", "default over one GPU"], rows)


@figure
def default_over_one_gpu(data):
    """Class C, runs by turns over those of the GPU alone."""
    found = found_in(data[CLASS_C]["calls"][0])
    return ", ".join(f"{NAMES[name]} {ranged([run / other for run, other in zip(found[f'{name}c-def'], found[f'{name}c-gpu'])])}"
                     for name in NAMES)


@figure
def exchange_before_limits(data):
    """What exchange costs in the first steps of a run and in all of them."""
    found = found_in(data[EXCHANGE]["calls"][0])
    rows = []
    for name, steps, direct, frozen in (("sp", "first 80", "sp80-direct", "sp80-frozen"), ("sp", "all 500", "spd-p2", "spd-frozen"),
                                        ("bt", "first 40", "bt40-direct", "bt40-frozen"), ("bt", "all 250", "btd-p2", "btd-frozen")):
        rows.append([NAMES[name], steps, rate(statistics.median(found[direct])), rate(statistics.median(found[frozen])),
                     lost(found[direct], found[frozen])])
    return table(["class D", "steps", "faces exchanged, Mop/s", "frozen", "lost"], rows)
