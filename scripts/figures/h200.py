"""Runs from 2026-11-23 on: on H200s routes of faces, slices, loops over arrays, class E; and start-up."""

import pathlib
import re
import statistics

import bars
from figures.data import NAMES, figure, ranged, rate, spaced, table

ROUTES = "2026-11-23/h200-x2-routes.json"
SLICES = "2026-11-23/h200-slices.json"
LOOPS = "2026-11-23/h200-loops.json"
SMALL_LOOPS = "2026-11-26/h200-small-loops.json"
BY_HAND = "2026-11-24/h200-by-hand.json"
SHAPES = "2026-11-24/h200-shapes.json"
STREAMING = "2026-11-24/h200-streaming.json"
OTHER_LOOPS = "2026-11-24/h200-apps.json"
STENCILS = "2026-11-26/h200-x2-stencils.json"
BALANCED = "2026-11-26/h200-balanced.json"
START_UP = {"gpu": "2026-11-23/start-up-h200.json", "cpus": "2026-11-23/start-up-cpus.json"}
SHORT = {"matrix-add": "sum", "matrix-matrix": "product"}
CLASS_E = ("2026-11-26/h200-sp-E.json", "2026-11-26/h200-x2-sp-E.json")


def rates(data, name, which):
    return [run["mops"] for run in data[name]["runs"] if run["name"] == which]


@figure
def routes(data):
    """Two GPUs over one by route; what the exchange costs is 1 - direct over frozen."""
    rows = []
    for letter in "CD":
        for short, name in NAMES.items():
            one, direct, host, frozen = (statistics.median(rates(data, ROUTES, f"{short} {letter} {way}"))
                                         for way in ("one", "direct", "host", "frozen"))
            rows.append([name, letter, rate(one), f"{rate(direct)} ({direct / one:.2f})", f"{rate(host)} ({host / one:.2f})",
                         f"{100 * (1 - direct / frozen):.1f}%", len(rates(data, ROUTES, f"{short} {letter} one"))])
    return table(["", "class", "`+1`", "`+2`, direct", "`+2`, through the host", "1 - direct / frozen", "runs"], rows)


@figure
def slices(data):
    rows = []
    for name in dict.fromkeys(run["name"] for run in data[SLICES]["runs"]):
        found = [run for run in data[SLICES]["runs"] if run["name"] == name]
        efficiency, gain = found[0]["hybrid_efficiency"], found[0]["cpu_gain"]
        command = found[0]["command"].split()
        chosen = f"`{command[command.index('--cus') + 1]}`, `{command[command.index('--devices') + 1]}`"
        schedule = f"`{command[command.index('--schedule') + 1]}`" if "--schedule" in command else "`auto`"
        rows.append([NAMES[found[0]["benchmark"]], chosen, schedule, found[0]["steps"],
                     " + ".join(str(n) for n in found[0]["processors"]), rate(statistics.median(r["mops"] for r in found)),
                     "" if efficiency is None else f"{efficiency:.2f}", "" if gain is None else f"{gain:.2f}", len(found)])
    return table(["class C", "CUs, devices", "schedule", "steps", "SMs", "Mop/s", "hybrid efficiency", "CPU gain", "runs"], rows)


def plot_of_slices(data):
    """Hybrid runs of that table: what they reach of CPUs and slice alone, and what the CPUs add of what they do alone."""
    groups = {}
    for name in dict.fromkeys(run["name"] for run in data[SLICES]["runs"]):
        found = next(run for run in data[SLICES]["runs"] if run["name"] == name)
        if found["hybrid_efficiency"] is not None:
            groups[name] = {"hybrid efficiency": found["hybrid_efficiency"], "CPU gain": max(found["cpu_gain"], 0)}
    return bars.draw(groups, "of what CPUs and slice do alone")


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
def balanced_beside_gpu(data):
    """Milliseconds with CPUs under `balanced` beside the GPU alone, and the CPUs alone where they were measured."""
    times, shapes = {}, {}
    for run in data[BALANCED]["runs"]:
        for app in run["apps"]:
            times.setdefault((app["app"], run["cus"]), []).append(1e3 * time_of_yoke(app))
            shapes[app["app"]] = app["shape"]
    rows = []
    for app, shape in shapes.items():
        alone = statistics.median(times[app, "+1"])
        cells = [f"{alone:.3f}"]
        for cus in ("15x1+1", "1x15+1"):
            with_cpus = statistics.median(times[app, cus])
            cells.append(f"{with_cpus:.3f} ({alone / with_cpus:.3f})")
        cpus = [f"{statistics.median(times[app, cus]):.0f}" for cus in ("15x1", "1x15") if (app, cus) in times]
        rows.append([app, shape, *cells, ", ".join(cpus)])
    return table(["loop", "elements", "`+1`, ms", "`15x1+1`", "`1x15+1`", "`15x1`, `1x15`"], rows)


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
    return table(["CUs", "zones", "steps", "set-up, s", "s a step", "Mop/s", "CPUs: kernels, exchange, waiting for faces",
                  "GPUs: the same"], rows)


def lines_and_tokens(*names):
    """Of files of benchmarks/by-hand, without blank lines, comments and lines of includes."""
    folder = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "by-hand"
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    lines = [line for line in re.sub(r"//.*", "", text).splitlines() if line.strip() and not line.startswith("#")]
    return len(lines), len(re.findall(r"\w+(?:\.\d+)?|[^\w\s]", "\n".join(lines)))


@figure
def by_hand(data):
    rows = []
    for each in data[BY_HAND]["programs"]:
        turns = each["seconds_by_hand_arrays_recorded"]
        launched, arrays, recorded = (1e6 * statistics.median(turn[which] for turn in turns) for which in range(3))
        rows.append([each["program"], f"{each['side']}²", f"{launched:.1f}", f"{arrays:.1f}",
                     f"{statistics.median(turn[1] / turn[0] for turn in turns):.3f}", f"{recorded:.1f}",
                     f"{statistics.median(turn[2] / turn[0] for turn in turns):.3f}"])
    return table(["", "size", "by hand, µs", "`for_each`, µs", "ratio", "recorded, µs", "ratio"], rows)


def plot_of_loops_by_hand(data):
    """The picture beside that table, from 1000² up."""
    groups = {}
    for each in data[BY_HAND]["programs"]:
        turns = each["seconds_by_hand_arrays_recorded"]
        if each["side"] >= 1000:
            groups[f"{SHORT.get(each['program'], each['program'])} {each['side']}²"] = {
                "for_each": statistics.median(turn[1] / turn[0] for turn in turns),
                "recorded": statistics.median(turn[2] / turn[0] for turn in turns)}
    return bars.draw(groups, "time over the same kernels launched by hand", width=1240)


@figure
def by_hand_sources(data):
    data[BY_HAND]  # stands beside its times
    rows = []
    for name, stem in (("matrix-add", "add"), ("matrix-matrix", "multiply"), ("jacobi", "jacobi")):
        rows.append([name, *lines_and_tokens(f"launched_{stem}.cpp"), *lines_and_tokens(f"array_{stem}.cpp")])
    rows.append(["memory and errors of CUDA, once", *lines_and_tokens("device_memory.hpp"), "", ""])
    return table(["", "by hand, lines", "tokens", "by arrays, lines", "tokens"], rows)


@figure
def launch_shapes(data):
    rows = []
    for each in data[SHAPES]["bodies"]:
        times = {shape["shape"]: 1e6 * statistics.median(shape["seconds"]) for shape in each["shapes"]}
        own, best = times["by its words"], min(times, key=times.get)
        rows.append([each["body"], each["words"], f"{each['side']}²", f"{own:.1f}", f"{times[best]:.1f}", best, f"{own / times[best]:.3f}"])
    return table(["", "access, load, sharing", "size", "by its words", "best", "which is", "ratio"], rows)


@figure
def streaming(data):
    """GB/s of copies, of the triad beside them, of Yoke; and Yoke over both."""
    samples = data[STREAMING]["streaming_axpy"]["bytes_a_second_copies_triad_yoke"]
    copies, triad, own = (statistics.median(sample[which] for sample in samples) / 1e9 for which in range(3))
    ratio = statistics.median(sample[2] / (sample[0] + sample[1]) for sample in samples)
    return f"copies {copies:.0f} GB/s and a triad {triad:.0f} at once, Yoke {own:.0f}: {ratio:.3f} of both, {len(samples)} samples"


@figure
def other_loops(data):
    rows = []
    for each in data[OTHER_LOOPS]["apps"]:
        own = statistics.median(pair[1] for pair in each["seconds_plain_and_yoke"])
        rows.append([each["app"], each["shape"], f"{1e3 * own:.2f}", spaced(each["bytes"] / own / 1e9)])
    return table(["loop", "elements", "ms", "GB/s"], rows)


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
