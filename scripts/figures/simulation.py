"""Efficiency against the size of tasks, and predictions of yoke simulate beside what was measured."""

import statistics

from figures.data import NAMES, figure, table

TASK_SIZES = "2026-11-22/task-size-2x1.json"
PREDICTIONS = "2026-11-22/predictions-A.json"


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
