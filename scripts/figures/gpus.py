"""On one GPU: class D with and without CPUs, the peers, the matrix."""

import collections
import math
import statistics

from figures.choices import of_class, samples
from figures.data import FOLDER, Measured, NAMES, figure, over, ranged, rate, table

D_PAIRS, DETAILS = FOLDER + "h200-D-pairs.json", FOLDER + "h200-*-D*.json"


def details(data):
    return [data[name] for name in data.names(DETAILS) if "pairs" not in name]


def class_d_groups(data):
    """(benchmark, cus, schedule) -> runs, the GPU alone first."""
    found = data[D_PAIRS]
    groups = collections.defaultdict(list)
    for p in found["pairs"]:
        groups[p["benchmark"], "+1", "static"].append(p["alone"])
    for run in [{"benchmark": p["benchmark"], "partner": p["alone"], **p["hybrid"]} for p in found["pairs"]] + found["others"]:
        groups[run["benchmark"], run["cus"], run["schedule"]].append(run)
    for d in details(data):  # runs that only their own file has
        key = d["benchmark"][:2].lower(), d["cus"], d["schedule"]
        if key not in groups:
            groups[key].append({**d, "other_call": True})
    return dict(sorted(groups.items(), key=lambda group: list(NAMES).index(group[0][0])))


def zones_on_cpus(data, runs):
    """Of the runs whose own file says which unit had which zone."""
    found = []
    for d in details(data):
        if any(math.isclose(run["seconds"], d["seconds"]) for run in runs):
            gpus = {u["id"] for u in d["units"] if u["kind"] == "gpu"}
            found.append(sum(t["unit"] not in gpus for t in d["tasks"]))
    return ", ".join(str(n) for n in sorted(set(found)))


def steps_of(data, benchmark):
    return next(d["iterations"] for d in details(data) if d["benchmark"] == NAMES[benchmark])


def median_alone(data, benchmark):
    return Measured(benchmark, "D", statistics.median(run["mops"] for run in class_d_groups(data)[benchmark, "+1", "static"]))


def gains(data, benchmark, runs):
    """Of the CPUs' own rate, how much the CPUs add; by the schedule that suits them best."""
    alone_cpus = data[D_PAIRS]["cpus_alone"].get(benchmark)
    if not alone_cpus:
        return []
    cpus = max(run["steps"] / run["seconds"] for run in alone_cpus)
    steps = steps_of(data, benchmark)
    alone = statistics.median(run["seconds"] for run in class_d_groups(data)[benchmark, "+1", "static"])
    return [(steps / run["seconds"] - steps / run.get("partner", {}).get("seconds", alone)) / cpus for run in runs]


def over_alone(data, benchmark, run):
    """Of its pair, or else of the median of the same call."""
    alone = Measured(benchmark, "D", run["partner"]["mops"]) if "partner" in run else median_alone(data, benchmark)
    return over(Measured(benchmark, "D", run["mops"]), alone)


@figure
def class_d(data):
    rows = []
    for (benchmark, cus, schedule), runs in class_d_groups(data).items():
        compared = [] if cus == "+1" else [run for run in runs if "other_call" not in run]
        a_step = statistics.median(run["seconds"] for run in runs) / steps_of(data, benchmark)
        rows.append([NAMES[benchmark], f"`{cus}`, `{schedule}`", "" if cus == "+1" else zones_on_cpus(data, runs),
                     rate(statistics.median(run["mops"] for run in runs)), f"{1e3 * a_step:.2f}",
                     ranged([over_alone(data, benchmark, run) for run in compared]),
                     ranged(gains(data, benchmark, compared), "{:.2f}"),
                     f"{len(runs)}{' pairs' if 'partner' in runs[0] else ''}"])
    return table(["", "", "zones on CPUs", "Mop/s", "ms a step", "over the GPU alone", "CPU gain", "runs"], rows)


@figure
def cpus_alone(data):
    rows = [[NAMES[benchmark], f"`{run['cus']}`, `{run['schedule']}`", run["steps"], f"{run['steps'] / run['seconds']:.2f}"]
            for benchmark, runs in data[D_PAIRS]["cpus_alone"].items() for run in runs]
    return table(["class D", "", "steps", "steps a second"], rows)


def gpu_alone(data, benchmark, letter):
    if letter == "D":
        return median_alone(data, benchmark)
    return Measured(benchmark, letter, statistics.median(samples(of_class(data, benchmark, letter), "+1 static")))


@figure
def npb_gpu(data):
    rows = []
    for peer in sorted(data[FOLDER + "npb-gpu.json"], key=lambda p: (p["class"], list(NAMES.values()).index(p["benchmark"]))):
        benchmark = peer["benchmark"][:2].lower()
        theirs, ours = Measured(benchmark, peer["class"], peer["mops"]), gpu_alone(data, benchmark, peer["class"])
        rows.append([NAMES[benchmark], peer["class"], rate(ours.mops), rate(theirs.mops), f"{over(ours, theirs):.1f}"])
    return table(["", "class of both", "Yoke, `+1`, `static`", "NPB-GPU", "ratio"], rows)


@figure
def matrix(data):
    runs = data[FOLDER + "h200-matrix.json"]["runs"]
    columns = list(dict.fromkeys(run["configuration"] for run in runs))
    rows = []
    for letter in "SWABCD":
        of_letter = [run for run in runs if run["class"] == letter]
        cells = []
        for configuration in columns:
            here = [run for run in of_letter if run["configuration"] == configuration]
            good = sum(run["verdict"] == ("NOT PERFORMED" if run["steps"] else "SUCCESSFUL") for run in here)
            cells.append(f"{good} of {len(here)}" if here else "")
        sets = {b: len({run["norms_set"] for run in of_letter if run["benchmark"] == b}) for b in NAMES}
        rows.append([letter + (", 10 steps" if of_letter[0]["steps"] else ""), *cells, max(sets.values())])
    return table(["class", *(f"`{c}`" for c in columns), "sets of norms of a benchmark"], rows)


def matrix_by_devices(data, *names):
    """By the devices and CUs of each file, and the class."""
    runs = {}
    for name in names:
        found = data[name]
        for run in found["runs"]:
            runs.setdefault((run["class"], run["configuration"], found["devices"]), []).append(run)
    rows = []
    for (letter, configuration, devices), here in sorted(runs.items(), key=lambda item: (item[0][1], "SWABC".index(item[0][0]))):
        good = sum(run["verdict"] == "SUCCESSFUL" for run in here)
        sets = max(len({run["norms_set"] for run in here if run["benchmark"] == b}) for b in NAMES)
        rows.append([f"`{configuration}`, `{devices}`", letter, f"{good} of {len(here)}", sets])
    return table(["CUs, devices", "class", "verified", "sets of norms of a benchmark"], rows)


@figure
def matrix_of_slices(data):
    return matrix_by_devices(data, *(f"2026-11-24/{name}.json" for name in ("h200-quarters-WA", "h200-quarters-B", "h200-quarters-B-rest", "h200-eight-SWA")),
                             "2026-11-26/h200-slice-matrix-B.json")


@figure
def matrix_of_two(data):
    return matrix_by_devices(data, *(f"2026-11-25/{name}.json" for name in ("h200-x2-matrix", "h200-x2-matrix-B", "h200-x2-matrix-C")),
                             "2026-11-26/h200-x2-matrix-WA.json")
