"""Efficiency against the size of tasks, and predictions of yoke simulate beside what was measured."""

import statistics

from figures.data import NAMES, figure, spaced, table
from figures.h200 import ROUTES, rates

TASK_SIZES = "2026-11-22/task-size-2x1.json"
PREDICTIONS = "2026-11-22/predictions-A.json"

MORE_GPUS = "2026-11-23/more-gpus.json"
SIMULATOR = "2026-11-23/simulator.json"


def size_of(seconds):
    return f"{1e9 * seconds:.0f} ns" if seconds < 1e-6 else f"{1e6 * seconds:.2g} µs"


@figure
def task_sizes(data):
    """METG(50%) and efficiency at every second size up to some 17 µs."""
    series = data[TASK_SIZES]["series"]
    shown = range(0, 9, 2)
    rows = []
    for each in series:
        points, least = each["points"], each["metg_s"]
        at_most = "≤ " if least == points[0]["task_s"] else ""
        rows.append([each["name"], at_most + size_of(least), *(f"{100 * points[n]['efficiency']:.0f}%" for n in shown)])
    return table(["", "METG(50%)", *(size_of(series[0]["points"][n]["task_s"]) for n in shown)], rows)


@figure
def load_of_task_sizes(data):
    return " ".join(f"{load:.1f}" for load in data[TASK_SIZES]["record"]["host"]["load"])


@figure
def predictions(data):
    found = data[PREDICTIONS]
    of = {(run["benchmark"], run["cus"], run["schedule"]): run for run in found["runs"]}
    rows = []
    for cus, schedule in dict.fromkeys((run["cus"], run["schedule"]) for run in found["runs"]):
        cells = []
        for benchmark in NAMES:
            run = of[benchmark, cus, schedule]
            middle = statistics.median(run["ms"])
            apart = (max(run["ms"]) - min(run["ms"])) / middle
            mark = ", calibrated from" if run["is_source"] else ""
            cells.append(f"{middle:.2f} ({100 * apart:.0f}%): {100 * run['error']:+.1f}%{mark}")
        rows.append([f"`{cus}`, `{schedule}`", *cells])
    return table(["", *NAMES.values()], rows)


@figure
def predicted_within(data, percent):
    errors = [abs(run["error"]) for run in data[PREDICTIONS]["runs"] if not run["is_source"]]
    return f"{sum(error <= float(percent) / 100 for error in errors)} of {len(errors)}"


@figure
def worst_prediction(data):
    return f"{100 * max(abs(run['error']) for run in data[PREDICTIONS]['runs'] if not run['is_source']):.0f}%"


@figure
def more_gpus(data, letter):
    """A row for each way between GPUs and number of them."""
    runs = {(r["benchmark"], r["route"], r["gpus"], r["schedule"]): r for r in data[MORE_GPUS]["runs"] if r["class"] == letter}
    schedules = list(dict.fromkeys(key[3] for key in runs))
    rows = []
    for benchmark, route, gpus in dict.fromkeys(key[:3] for key in runs):
        if gpus == 1:
            continue
        cells = []
        for schedule in schedules:
            run, one = runs[benchmark, route, gpus, schedule], runs.get((benchmark, route, 1, schedule))
            over = f" ({one['ms'] / run['ms']:.2f})" if one else ""
            cells.append(f"{run['ms']:.3f}{over}; {run['bytes_a_pass'] / 1e6:.0f} MB")
        rows.append([NAMES[benchmark], f"`+{gpus}`", {"direct": "direct", "host": "through the host"}[route], *cells])
    return table(["", "", "faces", *(f"`{name}`" for name in schedules)], rows)


@figure
def measured_on_two(data):
    """Rates of class D over one GPU."""
    ways = []
    for short, name in NAMES.items():
        one, direct, host = (statistics.median(rates(data, ROUTES, f"{short} D {way}")) for way in ("one", "direct", "host"))
        ways.append(f"{direct / one:.2f} and {host / one:.2f} ({name})")
    return ", ".join(ways)


@figure
def simulated_rates(data):
    rates_of = {}
    for each in data[SIMULATOR]["benchmarks"]:
        _, schedule, units = each["run_name"].split("/")
        rates_of.setdefault(units.removeprefix("units:"), {})[schedule] = spaced(each["items_per_second"] / 1e6)
    schedules = list(next(iter(rates_of.values())))
    rows = [[f"{units} CUs", *(found[name] for name in schedules)] for units, found in rates_of.items()]
    return table(["million tasks a second", *(f"`{name}`" for name in schedules)], rows)
