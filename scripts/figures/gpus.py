"""On GPUs: the peers, and that all runs verify."""

import statistics

from figures.choices import of_class, samples
from figures.data import FOLDER, Measured, NAMES, figure, over, rate, table

MATRICES = {"one H200": (FOLDER + "h200-matrix.json",),
            "slices of an H200": (*(f"2026-11-24/{name}.json" for name in ("h200-quarters-WA", "h200-quarters-B", "h200-quarters-B-rest", "h200-eight-SWA")),
                                  "2026-11-26/h200-slice-matrix-B.json"),
            "two H200s": (*(f"2026-11-25/{name}.json" for name in ("h200-x2-matrix", "h200-x2-matrix-B", "h200-x2-matrix-C")),
                          "2026-11-26/h200-x2-matrix-WA.json")}


def peers(data):
    return {(p["benchmark"][:2].lower(), p["class"]): p["mops"] for p in data[FOLDER + "npb-gpu.json"]}


@figure
def npb_gpu(data):
    rows = []
    for (benchmark, letter), mops in sorted(peers(data).items(), key=lambda of: (of[0][1], list(NAMES).index(of[0][0]))):
        theirs = Measured(benchmark, letter, mops)
        ours = Measured(benchmark, letter, statistics.median(samples(of_class(data, benchmark, letter), "+1 static")))
        rows.append([NAMES[benchmark], letter, rate(ours.mops), rate(theirs.mops), f"{over(ours, theirs):.1f}"])
    return table(["", "class of both", "Yoke, `+1`, `static`, Gop/s", "NPB-GPU, Gop/s", "ratio"], rows)


@figure
def verified(data):
    """Of every run under every schedule: how many verified, and whether norms of a benchmark and class differ."""
    rows = []
    for hardware, names in MATRICES.items():
        runs = [run for name in names for run in data[name]["runs"]]
        whole = [run for run in runs if not run.get("steps")]
        sets = {}
        for run in runs:
            sets.setdefault((run["benchmark"], run["class"]), set()).add(run["norms_set"])
        rows.append([hardware, ", ".join(f"`{c}`" for c in dict.fromkeys(run["configuration"] for run in runs)),
                     " ".join(letter for letter in "SWABCD" if any(run["class"] == letter for run in runs)),
                     f"{sum(run['verdict'] == 'SUCCESSFUL' for run in whole)} of {len(whole)}", max(len(found) for found in sets.values())])
    return table(["hardware", "CUs", "classes", "verified", "sets of norms of a benchmark and class"], rows)
