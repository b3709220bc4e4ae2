"""Runs from 2026-11-23 on: on H200s routes of faces, slices, loops over arrays, class E; and start-up."""

import statistics

import bars
from figures.data import NAMES, figure, ranged, rate, spaced, table

EXCHANGE = "2026-11-25/h200-x2.json"
SLICES = "2026-11-23/h200-slices.json"
LOOPS = "2026-11-23/h200-loops.json"
SMALL_LOOPS = "2026-11-26/h200-small-loops.json"
BY_HAND = "2026-11-24/h200-by-hand.json"
SHAPES = "2026-11-24/h200-shapes.json"
STREAMING = "2026-11-24/h200-streaming.json"
STENCILS = "2026-11-26/h200-x2-stencils.json"
START_UP = {"gpu": "2026-11-23/start-up-h200.json", "cpus": "2026-11-23/start-up-cpus.json"}
SHORT = {"matrix-add": "sum", "matrix-matrix": "product"}
CLASS_E = ("2026-11-26/h200-sp-E.json", "2026-11-26/h200-x2-sp-E.json")


@figure
def exchange(data):
    """What the exchange of faces between two GPUs costs: 1 - direct over frozen, where both have the same map."""
    rows = []
    for letter in "DC":
        for short in ("sp", "lu"):
            def of(choice, *, short=short, letter=letter):
                return [r["mops"] for r in data[EXCHANGE]["runs"] if (r["benchmark"], r["class"], r["name"]) == (short, letter, choice)]

            direct, frozen = (statistics.median(mops) for mops in (of("+2 static") or of("default"), of("frozen")))
            rows.append([NAMES[short], letter, rate(direct), rate(frozen), f"{100 * (1 - direct / frozen):.1f}%", len(of("frozen"))])
    return table(["", "class", "faces exchanged, Gop/s", "frozen, Gop/s", "lost", "runs"], rows)


@figure
def slices(data):
    """Hybrid runs beside a slice that is no faster than the CPUs are together."""
    rows = []
    for run in data[SLICES]["runs"]:
        if run["hybrid_efficiency"] is not None:
            command = run["command"].split()
            rows.append([NAMES[run["benchmark"]], f"`{command[command.index('--cus') + 1]}`", run["steps"], rate(run["mops"]),
                         f"{run['hybrid_efficiency']:.2f}", f"{run['cpu_gain']:.2f}"])
    return table(["class C, `cuda:0@8`", "CUs", "steps", "Gop/s", "hybrid efficiency", "CPU gain"], rows)


@figure
def slice_efficiency(data):
    found = {run["benchmark"]: run["hybrid_efficiency"] for run in data[SLICES]["runs"] if run["hybrid_efficiency"] is not None}
    return ", ".join(f"{efficiency:.2f} ({NAMES[name]})" for name, efficiency in found.items())


@figure
def loops_on_gpu(data):
    """By the bytes that a loop moves at least; the other program moves as many."""
    rows = []
    for each in data[LOOPS]["loops"]:
        own = statistics.median(each["bytes"] / t / 1e9 for t in each["seconds"])
        others = [each["bytes"] / t / 1e9 for t in each.get("other_seconds", [])]
        rows.append([each["app"], each["shape"], spaced(own), each.get("other", ""), spaced(statistics.median(others)) if others else "",
                     f"**{own / statistics.median(others):.3f}**" if others else ""])
    return table(["loop", "elements", "Yoke, GB/s", "beside", "GB/s", "ratio"], rows)


def time_of_yoke(app):
    return statistics.median(pair[1] for pair in app["seconds_plain_and_yoke"])


@figure
def small_loops(data):
    """Microseconds by configuration."""
    runs = data[SMALL_LOOPS]["runs"]
    rows = [[app["app"], *(f"{1e6 * time_of_yoke(run['apps'][at]):.1f}" for run in runs)] for at, app in enumerate(runs[0]["apps"])]
    return table(["µs a loop", *(f"`{run['cus']}`" for run in runs)], rows)


@figure
def start_up(data, where):
    found = data[START_UP[where]]
    over = [1e3 * (own - other) for own, other in found["pairs_s"]]
    return (f"{1e3 * found['median_s']:.0f} ms beside {1e3 * found['empty_median_s']:.0f} ms of {found['beside']}, in pairs "
            f"{ranged(over, '{:.0f}')} ms further; {len(over)} pairs")


@figure
def class_e(data):
    """Where the time goes: of all CUs of a kind together, in parts of the run."""
    rows = []
    for name in CLASS_E:
        run = data[name]
        places = ", ".join(f"{space['zones']} in {space['name']}" for space in run["memory"])
        rows.append([f"`{run['cus']}`", places, run["iterations"], f"{run['setup_s']:.1f}", f"{run['seconds'] / run['iterations']:.3f}",
                     rate(run["mops"])])
        for kind in ("cpu", "gpu"):
            of_kind = [unit for unit in run["units"] if unit["kind"] == kind]
            parts = [sum(unit[what] for unit in of_kind) / (len(of_kind) * run["seconds"]) for what in ("advance_s", "exchange_s", "waiting_s")]
            rows[-1].append(", ".join(f"{100 * part:.1f}%" for part in parts))
    return table(["CUs", "zones", "steps", "set-up, s", "s a step", "Gop/s", "CPUs: kernels, exchange, waiting for faces",
                  "GPUs: the same"], rows)


def plot_of_loops_by_hand(data):
    """Medians of turns, from 1000² up."""
    groups = {}
    for each in data[BY_HAND]["programs"]:
        turns = each["seconds_by_hand_arrays_recorded"]
        if each["side"] >= 1000:
            groups[f"{SHORT.get(each['program'], each['program'])} {each['side']}²"] = {
                "for_each": statistics.median(turn[1] / turn[0] for turn in turns),
                "recorded": statistics.median(turn[2] / turn[0] for turn in turns)}
    return bars.draw(groups, "time over the same kernels launched by hand", width=1240)


@figure
def launch_shapes(data):
    """By body: the words, and how much longer they take than the fastest of twelve shapes in numbers, over all sizes."""
    found = {}
    for each in data[SHAPES]["bodies"]:
        times = {shape["shape"]: statistics.median(shape["seconds"]) for shape in each["shapes"]}
        found.setdefault((each["body"], each["words"]), []).append((each["side"], times["by its words"] / min(times.values())))
    rows = [[body, words, f"{sizes[0][0]}² to {sizes[-1][0]}²", ranged([ratio for _, ratio in sizes])] for (body, words), sizes in found.items()]
    return table(["body", "access, load, sharing", "sizes", "time over the best shape's, by size"], rows)


@figure
def streaming(data):
    """GB/s of copies, of the triad beside them, of Yoke; and Yoke over both."""
    samples = data[STREAMING]["streaming_axpy"]["bytes_a_second_copies_triad_yoke"]
    copies, triad, own = (statistics.median(sample[which] for sample in samples) / 1e9 for which in range(3))
    ratio = statistics.median(sample[2] / (sample[0] + sample[1]) for sample in samples)
    return f"copies {copies:.0f} GB/s and a triad {triad:.0f} at once, Yoke {own:.0f}: {ratio:.3f} of both, {len(samples)} samples"


@figure
def stencils_on_two(data):
    """Milliseconds of a run, the median of the calls' medians."""
    found = {}
    for run in data[STENCILS]["runs"]:
        for app in run["apps"]:
            key = (app["app"], app["shape"], run["residual_every"] if app["app"].startswith("jacobi") else None)
            own = statistics.median(pair[1] for pair in app["seconds_plain_and_yoke"])
            found.setdefault(key, {}).setdefault(len(run["record"]["devices"]), []).append(1e3 * own)
    rows = []
    for (app, shape, every), of in found.items():
        one, two = (statistics.median(of[n]) for n in (1, 2))
        residual = {None: "none", 1: "each run"}.get(every, f"every {every} runs")
        rows.append([app, shape, residual, f"{one:.3f}", f"{two:.3f}", f"{one / two:.2f}"])
    return table(["loop", "elements", "sum of changes", "`+1`, ms", "`+2`, ms", "ratio"], rows)


@figure
def stencil_of_peer(data):
    """NVIDIA's milliseconds an iteration on two, and our time of the same over it."""
    peer = statistics.median(line[6] for line in data[STENCILS]["peer"]["lines"])
    own = [1e3 * statistics.median(pair[1] for pair in app["seconds_plain_and_yoke"])
           for run in data[STENCILS]["runs"] if len(run["record"]["devices"]) == 2
           for app in run["apps"] if app["app"] == "jacobi-2d"]
    return f"{peer:.3f} ms an iteration there, Yoke's is {statistics.median(own) / peer:.3f} of that"


@figure
def breakdowns(data):
    """Medians, milliseconds."""
    rows = []
    for run in data["2026-11-25/h200-breakdown.json"]["runs"]:
        for app in dict.fromkeys(each["app"] for each in run["breakdowns"]):
            found = [each for each in run["breakdowns"] if each["app"] == app]
            parts = [1e3 * statistics.median(each[part] for each in found)
                     for part in ("copy_in", "exchange", "compute", "copy_out")]
            rows.append([app, f"`{run['cus']}`", *(f"{part:.2f} ({100 * part / sum(parts):.0f}%)" for part in parts)])
    return table(["", "CUs", "copy in, ms", "exchange", "compute", "copy out"], rows)
