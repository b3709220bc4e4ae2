"""The plot of class D, and the picture of what Yoke is."""

import statistics

import bars
from figures.choices import hybrid_runs, of_class, samples
from figures.data import NAMES
from figures.gpus import peers

CPU, GPU, GREY = bars.COLOURS[2], bars.COLOURS[3], bars.COLOURS[0]


def plot_of_class_d(data):
    """The picture of docs/results.md; no figure for a text."""
    theirs, both = peers(data), hybrid_runs(data)
    groups = {}
    for benchmark, name in NAMES.items():
        alone = {"the 15 CPUs alone": max(both[benchmark]["cpus"])} if benchmark in both else {}
        share = of_class(data, benchmark, "D")
        whole = {"gpu": samples(share, "+1 static"), "default": samples(share, "default")} | both.get(benchmark, {})
        groups[name] = {**({"NPB-GPU, single zone": theirs[benchmark, "D"]} if (benchmark, "D") in theirs else {}), **alone,
                        "the H200 alone": statistics.median(whole["gpu"]),
                        "no option but the class (LU: no zone on the CPUs)": statistics.median(whole["default"])}
    return bars.draw({name: {bar: mops / 1e3 for bar, mops in found.items()} for name, found in groups.items()},
                     "class D, Gop/s")


def box(x, y, width, height, colour, filled=True):
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" stroke="{colour}" '
            f'fill="{colour if filled else "none"}"/>')


def arrow(x, y, to_x, to_y):
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="#333333" marker-end="url(#head)"/>'


def tasks(x, y, owners):
    """Rows of four."""
    for n, owner in enumerate(owners):
        yield box(x + 22 * (n % 4), y + 22 * (n // 4), 18, 18, owner)


def memory(x, y, title, units, colour, n_tasks):
    yield box(x, y, 250, 118, colour, filled=False)
    yield bars.text(x + 125, y + 20, title, size=13)
    for n, unit in enumerate(units):
        a_unit = 230 / len(units)
        yield box(x + 12 + a_unit * n, y + 32, a_unit - 4, 28, colour, filled=False)
        yield bars.text(x + 10 + a_unit * (n + 0.5), y + 50, unit)
    for n in range(n_tasks):
        yield box(x + 16 + 19 * n, y + 74, 15, 15, colour)
    yield bars.text(x + 125, y + 108, "the blocks that are placed here", size=11)


def picture():
    """What README shows: a loop over blocks, the schedule, compute units in two memories."""
    parts = [bars.text(82, 28, "one loop over blocks", size=13), *tasks(40, 44, [CPU] * 4 + [GPU] * 12),
             bars.text(82, 156, "a block is a task,", size=12), bars.text(82, 172, "its array is placed", size=12),
             arrow(136, 88, 180, 88),
             box(186, 58, 150, 60, GREY, filled=False), bars.text(261, 82, "schedule: auto", size=14),
             bars.text(261, 102, "measures, then decides", size=11),
             arrow(340, 76, 396, 62), arrow(340, 102, 396, 168),
             *memory(404, 10, "host memory", ["CU 0", "CU 1", "CU 2"], CPU, 4),
             *memory(404, 142, "memory of the GPU", ["CU 3: a GPU, a slice"], GPU, 12),
             arrow(529, 129, 529, 139), bars.text(540, 138, "moved when asked for", "start", 10),
             bars.text(261, 214, "YOKE_CUS=3x1+1", size=13), bars.text(261, 234, "one kernel source, the same bits", size=12)]
    lines = "\n".join(parts)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 270" font-family="sans-serif">\n'
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="#333333"/></marker></defs>\n'
            f'<rect width="100%" height="100%" fill="white"/>\n{lines}\n</svg>\n')
