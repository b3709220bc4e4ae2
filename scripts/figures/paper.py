"""The paper's evaluation, re-derived in virtual time."""

import statistics

from figures.data import NAMES, figure, table

PAPER = "2026-11-23/paper.json"


@figure
def paper_within(data, percent):
    """Of the paper's speedups, how many the simulated ones are near."""
    claims = data[PAPER]["claims"]
    return f"{sum(abs(c['simulated'] / c['paper'] - 1) <= float(percent) / 100 for c in claims)} of {len(claims)}"


@figure
def paper_furthest(data):
    worst = min(data[PAPER]["claims"], key=lambda c: c["simulated"] / c["paper"])
    return f"{NAMES[worst['benchmark']]} on `{worst['of'][0]}` under `{worst['schedule']}`: {worst['paper']:.2f} there, {worst['simulated']:.2f} here"


@figure
def paper_beyond(data):
    """Median and worst over configurations, by schedule: the paper's node, and four of its sockets with eight GPUs."""
    runs = data[PAPER]["beyond"]

    def cell(schedule, benchmark, is_large):
        found = [r["makespan_over_best"][schedule] for r in runs if r["benchmark"] == benchmark and r["cus"].endswith("+8") == is_large]
        return f"{statistics.median(found):.3f}, {max(found):.3f}"

    columns = [(b, large) for large in (False, True) for b in ("sp", "bt")]
    return table(["schedule", *(f"{NAMES[b]}, {'256 CPUs, 8 GPUs' if large else '16 to 63 CPUs, 1 or 2 GPUs'}" for b, large in columns)],
                 [[f"`{s}`", *(cell(s, *column) for column in columns)] for s in runs[0]["makespan_over_best"]])
