"""The paper's evaluation, re-derived in virtual time."""

from figures.data import NAMES, figure, table

PAPER = "2026-11-23/paper.json"


def configurations(row):
    names = [f"`{cus}`" for cus in row["of"]]
    if not row["which"]:
        return names[0]
    return f"{row['which']} of {names[0]} to {names[-1]}"


def signed(share):
    percent = round(100 * share)
    return f"{percent:+d}%" if percent else "0%"


@figure
def paper_claims(data):
    rows = [[NAMES[r["benchmark"]], configurations(r), f"`{r['schedule']}`", f"{r['paper']:.2f}", f"{r['simulated']:.2f}",
             signed(r['simulated'] / r['paper'] - 1), r["why"]] for r in data[PAPER]["claims"]]
    return table(["", "", "schedule", "paper", "simulated", "difference", "why"], rows)


@figure
def paper_forgetting(data):
    rows = [[NAMES[r["benchmark"]], f"`{r['cus']}`", f"{r['paper'][0]} to {r['paper'][1]}", f"{r['at_1_gbs']:.1f}",
             f"{r['gbs'][1]:.1f} to {r['gbs'][0]:.1f}"] for r in data[PAPER]["not_memorizing"]]
    return table(["", "", "times slower, paper", "simulated at 1 GB/s", "GB/s that the paper's figures mean"], rows)


@figure
def paper_beyond(data):
    rows = data[PAPER]["beyond"]
    schedules = list(rows[0]["makespan_over_best"])
    return table(["", "class", "", "best, ms", *(f"`{s}`" for s in schedules)],
                 [[NAMES[r["benchmark"]], r["class"], f"`{r['cus']}`", f"{1e3 * r['best_s']:.0f}{'' if r['exact'] else ', cut'}",
                   *(f"{r['makespan_over_best'][s]:.3f}" for s in schedules)] for r in rows])
