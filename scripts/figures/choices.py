"""The default beside the best choice by hand, what CPUs add, two GPUs over one, and random runs."""

import statistics

from figures.data import Measured, NAMES, days, figure, over, ranged, rate, spaced, table

OF_ONE_GPU = tuple(f"2026-11-29/h200-share-{letter}.json" for letter in "BCD")
OF_TWO_GPUS = tuple(f"2026-11-29/h200-x2-share-{letter}.json" for letter in "BCD")
MACHINES = {"one H200, 16 CPUs": OF_ONE_GPU,
            "two H200s, 32 CPUs": OF_TWO_GPUS,
            "16 CPUs": ("2026-11-28/cpus16-share-AW.json", "2026-11-28/cpus16-share-sp-bt-C.json", "2026-11-28/cpus16-share-lu-A.json",
                        "2026-11-28/cpus16-share-lu-C-again.json"),
            "32 CPUs": ("2026-11-29/cpus32-share-B.json", "2026-11-27/cpus32-share-C.json"),
            "2 CPUs (N2)": ("2026-11-24/cpus-share-of-best.json",),
            "one H200, 16 CPUs, whole process": ("2026-11-29/h200-share-wall.json",),
            "two H200s, 32 CPUs, whole process": ("2026-11-29/h200-x2-share-wall.json",)}
CPU_GAIN = "2026-11-29/h200-cpu-gain-D-late.json"
TWO = "2026-11-27/h200-x2-default.json"


def shares_of(data, *names):
    """By class and benchmark, with the file; of what was measured twice the later file's."""
    return {(s["class"], s["benchmark"]): (name, s) for name in names for s in data[name]["shares"]}


def samples(share, name):
    """Rates of whole, verified runs of one choice."""
    return [s["mops"] for s in share["samples"] if s["name"] == name and s["verification"] == "SUCCESSFUL"]


def of_class(data, benchmark, letter):
    """On one GPU."""
    return shares_of(data, *OF_ONE_GPU)[letter, benchmark][1]


def in_code(choice):
    return f"`{choice.replace(' ', '`, `')}`"


@figure
def shares(data):
    """A row for each class on each machine."""
    rows = []
    for machine, names in MACHINES.items():
        found = shares_of(data, *names)
        for letter in sorted({letter for letter, _ in found}, key="SWABCDEF".index):
            of = [found[letter, benchmark] for benchmark in NAMES]
            rows.append([machine, letter, *(f"{ranged(s['ratios'])} of {in_code(s['best'])}" for _, s in of),
                         "/".join(str(len(s["ratios"])) for _, s in of), days(name for name, _ in of)])
    return table(["machine", "class", *NAMES.values(), "pairs", "day"], rows)


def hybrid_runs(data):
    """Of SP and BT in class D: rates by kind of run, those of the CPUs alone from some steps."""
    found = {}
    for run in data[CPU_GAIN]["runs"]:
        whole = run["gpu"][0]
        mops_of_a_step = whole["mops"] * whole["seconds"] / whole["iterations"]
        found[run["benchmark"]] = {kind: [mops_of_a_step * r["iterations"] / r["seconds"] for r in run[kind]]
                                   for kind in ("gpu", "cpus", "default")}
    return found


@figure
def hybrid(data):
    """The GPU, the CPUs, and both by the default: runs by turns in one call; LU-MZ from the call after it."""
    rows = []
    for benchmark, of in hybrid_runs(data).items():
        gpu, cpus, both = ([Measured(benchmark, "D", mops) for mops in of[kind]] for kind in ("gpu", "cpus", "default"))
        most = max(cpus)
        total = [Measured(benchmark, "D", alone.mops + most.mops) for alone in gpu]
        rows.append([NAMES[benchmark], rate(statistics.median(of["gpu"])), rate(most.mops), rate(statistics.median(of["default"])),
                     ranged([over(a, b) for a, b in zip(both, gpu)]), f"**{ranged([over(a, b) for a, b in zip(both, total)])}**",
                     ranged([(a.mops - b.mops) / most.mops for a, b in zip(both, gpu)], "{:.2f}"), len(both)])
    lu = of_class(data, "lu", "D")
    alone, both = (samples(lu, name) for name in ("+1 static", "default"))
    rows.append([NAMES["lu"], rate(statistics.median(alone)), "not measured", rate(statistics.median(both)),
                 f"{statistics.median(both) / statistics.median(alone):.3f}", "the CPUs get no zone", "", len(both)])
    return table(["class D, Gop/s", "the H200 alone", "15 CPUs alone", "both, default", "over the H200", "hybrid efficiency", "CPU gain", "runs"], rows)


@figure
def two_h200(data):
    """Runs by turns in one call: one GPU, two GPUs without CPUs, and the default."""
    found = {}
    for run in data[TWO]["calls"][1]["runs"]:
        found.setdefault(run["name"].partition(".")[0], []).append(run["mops"])
    rows = []
    for letter in "DC":
        for short, name in NAMES.items():
            one, two, default = (found[f"{short}{letter.lower()}-{kind}"] for kind in ("g1", "p2", "def"))
            rows.append([name, letter, *(rate(statistics.median(mops)) for mops in (one, two, default)),
                         ranged([a / b for a, b in zip(default, two)]), f"{statistics.median(default) / statistics.median(one):.3f}", len(default)])
    return table(["", "class", "one H200, Gop/s", "two, no CPU", "default", "default over two, no CPU", "default over one H200", "runs"], rows)


@figure
def random_run(data, device, key):
    found = next(r for r in data["2026-11-22/random-runs.json"]["runs"] if r["device"] == device)
    return spaced(found[key]) if key != "seed" else str(found[key])
