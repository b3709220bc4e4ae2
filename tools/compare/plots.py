"""The figures, by matplotlib: colours that colour-blind readers tell apart (Okabe and Ito), hatches beside them."""
import math
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend comes first)
from matplotlib.patches import Patch  # noqa: E402

import gantt  # noqa: E402
import intervals  # noqa: E402

COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#666666"]
HATCHES = ["", "//", "..", "xx"]
MOST_LABELLED = 24
GANTT_COLOURS = {gantt.TASK: COLOURS[0], gantt.EXCHANGE: COLOURS[1], gantt.WAITING: "#bbbbbb"}

plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 11,
                     "axes.titleweight": "bold", "svg.fonttype": "path", "svg.hashsalt": "yoke", "hatch.linewidth": 0.6})


def unique(values):
    return list(dict.fromkeys(values))


def short(text, most=48):
    return text if len(text) <= most else text[:most - 1] + "…"


def label(schedule):
    """Of a shared object's the name alone."""
    return short(schedule.rsplit(".so:", 1)[-1], 24)


def style(number):
    return {"color": COLOURS[number % len(COLOURS)], "hatch": HATCHES[number // len(COLOURS) % len(HATCHES)],
            "edgecolor": "white", "linewidth": 0.5}


def bars(axes, rows, value, error=None):
    """Groups of configurations, a bar for each schedule."""
    configurations, schedules = unique(r["cus"] for r in rows), unique(r["schedule"] for r in rows)
    width = 0.84 / len(schedules)
    for number, schedule in enumerate(schedules):
        of = {r["cus"]: r for r in rows if r["schedule"] == schedule and value(r) is not None}
        places = [i + (number - (len(schedules) - 1) / 2) * width for i, c in enumerate(configurations) if c in of]
        shown = [of[c] for c in configurations if c in of]
        errors = [error(r) for r in shown] if error else None
        axes.bar(places, [value(r) for r in shown], width, yerr=errors, label=label(schedule),
                 error_kw={"elinewidth": 1, "capsize": 2}, **style(number))
    axes.set_xticks(range(len(configurations)), [c or "default" for c in configurations])
    axes.set_xlabel("configuration (CPU CUs × CPUs + GPU CUs)")
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, ncols=1, loc="center left", bbox_to_anchor=(1.0, 0.5), title="schedule")


def bar_figure(rows, title, unit, value, error=None):
    groups = len(unique(r["cus"] for r in rows))
    figure, axes = plt.subplots(figsize=(max(6.5, min(14, 3 + 0.24 * len(rows) + 0.5 * groups)), 4.2), layout="constrained")
    bars(axes, rows, value, error)
    axes.set_ylabel(unit)
    axes.set_title(title)
    return figure


def speedup(rows, program):
    def error(row):
        known = row["half_width"] is not None and math.isfinite(row["half_width"])
        return row["speedup"] * row["half_width"] / row["rate"] if known else 0
    base = next(r for r in rows if r["speedup"] is not None)
    over = f"speedup over {label(base['schedule'])} on {base['cus'] or 'default'}"
    return bar_figure(rows, short(program, 70), over, lambda r: r["speedup"], error)


def exchange(rows, program):
    if any(r["exchange"] is not None for r in rows):
        return bar_figure(rows, short(program, 70), "share of exchange in the time (%)",
                          lambda r: None if r["exchange"] is None else 100 * r["exchange"])
    if any(r["bytes"] for r in rows):
        return bar_figure(rows, short(program, 70), "copied between memories (MB a pass)",
                          lambda r: None if r["bytes"] is None else r["bytes"] / 1e6)
    return None


def mean_idle(cell):
    runs = [run["idle"] for run in cell["runs"] if run.get("idle")]
    return [100 * intervals.mean(values) for values in zip(*runs)] if runs else None


def idle_map(axes, of_configuration, cells):
    schedules = [cell["schedule"] for cell in cells]
    values = [mean_idle(cell) for cell in cells]
    image = axes.imshow(values, aspect="auto", cmap="cividis", vmin=0, vmax=100, interpolation="nearest")
    kinds = cells[0]["runs"][0]["kinds"]
    axes.set_yticks(range(len(schedules)), [label(s) for s in schedules])
    if len(kinds) <= MOST_LABELLED:
        axes.set_xticks(range(len(kinds)), [f"{n}\n{kind}" for n, kind in enumerate(kinds)])
        for y, row in enumerate(values):
            for x, value in enumerate(row):
                axes.text(x, y, f"{value:.0f}", ha="center", va="center", fontsize=8, color="white" if value < 55 else "black")
    else:
        axes.set_xlabel("CU")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_title(of_configuration, loc="left")
    return image


def idle(cells, program):
    with_idle = [cell for cell in cells if mean_idle(cell)]
    configurations = unique(cell["cus"] for cell in with_idle)
    if not configurations:
        return None
    groups = [[cell for cell in with_idle if cell["cus"] == c] for c in configurations]
    units = max(len(group[0]["runs"][0]["kinds"]) for group in groups)
    figure, all_axes = plt.subplots(len(groups), 1, squeeze=False, layout="constrained",
                                    figsize=(max(6.5, min(14, 3 + 0.45 * units)), 1.0 + sum(0.75 + 0.34 * len(g) for g in groups)),
                                    height_ratios=[1.5 + len(group) for group in groups])
    for axes, configuration, group in zip(all_axes[:, 0], configurations, groups):
        image = idle_map(axes, configuration or "default", group)
    figure.colorbar(image, ax=all_axes, label="idle time (%)", fraction=0.03)
    figure.suptitle(short(program, 70), fontsize=11, fontweight="bold")
    return figure


def gantt_figure(row, events):
    chart = gantt.middle_pass(events)
    if chart is None:
        return None
    names = [name for name, _ in chart.tracks]
    figure, axes = plt.subplots(figsize=(10, 1.6 + 0.28 * len(names)), layout="constrained")
    kinds = {span.kind for _, spans in chart.tracks for span in spans}
    shown = {kind: colour for kind, colour in GANTT_COLOURS.items() if kind in kinds}
    for y, (_, spans) in enumerate(chart.tracks):
        for kind, colour in shown.items():
            some = [((s.begin - chart.begin) / 1e3, (s.end - s.begin) / 1e3) for s in spans if s.kind == kind]
            axes.broken_barh(some, (y - 0.4, 0.8), facecolors=colour, edgecolor="white", linewidth=0.4)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, (chart.end - chart.begin) / 1e3)
    axes.set_xlabel("time in the pass (ms)")
    axes.set_title(f"Pass {chart.number}: {short(row['program'], 40)}, {row['cus'] or 'default'}, {label(row['schedule'])}")
    axes.legend(handles=[Patch(color=colour, label=kind) for kind, colour in shown.items()],
                frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def save(folder, name, title, figure, found):
    if figure is None:
        return
    figure.savefig(pathlib.Path(folder) / f"{name}.svg", metadata={"Date": None})
    figure.savefig(pathlib.Path(folder) / f"{name}.png", dpi=130)
    plt.close(figure)
    found.append((title, pathlib.Path(folder) / f"{name}.svg"))


def draw_all(folder, cells, rows, traces):
    """Files speedup-1.svg and .png and so on, one number for each program; returns (title, SVG)."""
    found = []
    for number, program in enumerate(unique(row["program"] for row in rows), 1):
        of_program = [row for row in rows if row["program"] == program and row["rate"] is not None]
        if not of_program:
            continue
        runs = [cell for cell in cells if cell["program"] == program and cell["runs"]]
        save(folder, f"speedup-{number}", f"Speedup: {program}", speedup(of_program, program), found)
        save(folder, f"idle-{number}", f"Idle time by CU: {program}", idle(runs, program), found)
        save(folder, f"exchange-{number}", f"Exchange: {program}", exchange(of_program, program), found)
        for row, events in traces:
            if row["program"] == program:
                save(folder, f"gantt-{number}", f"A pass of the best: {program}", gantt_figure(row, events), found)
    return found
