"""Efficiency against the size of tasks, and predictions of yoke simulate beside what was measured."""

import statistics

from figures.data import NAMES, figure, table

TASK_SIZES = "2026-12-01/task-size-2x1.json"
TASKS = "2026-12-01/tasks-2x1.json"
CHOLESKY = "2026-12-01/cholesky-2x1.json"
PREDICTIONS = "2026-11-22/predictions-A.json"

MORE_GPUS = "2026-11-23/more-gpus.json"
SIMULATOR = "2026-11-23/simulator.json"


def size_of(seconds):
    return f"{1e9 * seconds:.0f} ns" if seconds < 1e-6 else f"{1e6 * seconds:.2g} µs"


@figure
def metg(data, *name):
    """METG(50%) of one of them."""
    found = next(each for each in data[TASK_SIZES]["series"] if each["name"] == " ".join(name))
    at_most = "≤ " if found["metg_s"] == found["points"][0]["task_s"] else ""
    return at_most + size_of(found["metg_s"])


@figure
def task_of_nothing(data, *form):
    """What one takes until all are over."""
    return size_of(next(each["us"] for each in data[TASKS]["forms"] if each["name"] == " ".join(form)) / 1e6)


@figure
def cholesky_beside_openblas(data):
    """Ratio of the rates, the middle of pairs by turns."""
    run = data[CHOLESKY]
    ratios = sorted(theirs / ours for ours, theirs in zip(run["tasks_s"], run["dpotrf_s"]))
    return f"{run['ratio']:.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


@figure
def load_of_task_sizes(data):
    return " ".join(f"{load:.1f}" for load in data[TASK_SIZES]["record"]["host"]["load"])


@figure
def predicted_within(data, percent):
    errors = [abs(run["error"]) for run in data[PREDICTIONS]["runs"] if not run["is_source"]]
    return f"{sum(error <= float(percent) / 100 for error in errors)} of {len(errors)}"


@figure
def worst_prediction(data):
    return f"{100 * max(abs(run['error']) for run in data[PREDICTIONS]['runs'] if not run['is_source']):.0f}%"


@figure
def more_gpus(data, letter):
    """Under auto: over one GPU, by the number of GPUs and the way between them."""
    runs = {(r["benchmark"], r["route"], r["gpus"]): r for r in data[MORE_GPUS]["runs"] if r["class"] == letter and r["schedule"] == "auto"}
    numbers = sorted({key[2] for key in runs} - {1})
    rows = [[NAMES[b], {"direct": "direct", "host": "through the host"}[route],
             *(f"{runs[b, route, 1]['ms'] / runs[b, route, n]['ms']:.2f}" for n in numbers)]
            for b in NAMES for route in ("direct", "host")]
    return table(["", "faces go", *(f"`+{n}`" for n in numbers)], rows)


@figure
def simulated_rate(data, schedule, units):
    """Million tasks a second."""
    found = next(each for each in data[SIMULATOR]["benchmarks"] if each["run_name"].split("/")[1:] == [schedule, f"units:{units}"])
    return f"{found['items_per_second'] / 1e6:.0f}"
