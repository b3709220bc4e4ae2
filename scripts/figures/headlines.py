"""The figures of README, and the plot of docs/results.md."""

import statistics

import bars
from figures.choices import of_class, over_two_h200, samples
from figures.cpus import against_fortran, pairs_of
from figures.data import FOLDER, NAMES, figure, option, over, rate, table
from figures.gpus import class_d_groups, median_alone, over_alone, zones_on_cpus


@figure
def headlines(data):
    d = class_d_groups(data)
    by_hand = {"sp": ("15x1+1", "pool,pcf=524"), "bt": ("15x1+1", "pool,pcf=320"), "lu": ("15x1+1", "pool,pcf=400")}

    def fortran_cells(letter):
        for b in NAMES:
            found = against_fortran(data, b, letter)
            pairs = pairs_of(found)
            yield (f"{rate(statistics.median(a.mops for a, _ in pairs))} (`{option(found['a'], '--schedule')}`)",
                   f"{statistics.median(over(x, y) for x, y in pairs):.1f}")

    def hybrid_cell(b):
        runs = d[(b, *by_hand[b])]
        ratio = statistics.median(over_alone(data, b, run) for run in runs)
        zones = zones_on_cpus(data, runs)
        where = "no zone on the CPUs" if zones == "0" else f"{zones} zones on the CPUs"
        return f"{rate(statistics.median(r['mops'] for r in runs))} (`{by_hand[b][1]}`; {where}; {ratio:.3f} of `+1`)"

    def default_cell(b):
        s = of_class(data, b, "D")
        if s is None:
            return "–"
        return f"{rate(statistics.median(samples(s, 'default')))} ({s['share']:.3f} of `{s['best'].replace(' ', '`, `')}`)"

    rates, ratios = zip(*fortran_cells("A"))
    return table(["Mop/s total", *NAMES.values()],
                 [["class A, 2 CPUs (N), `2x1`", *rates], ["… over the reference Fortran, class A, same CPUs, pairs by turns", *ratios],
                  ["class D, one H200, `+1`, `static`", *(rate(median_alone(data, b).mops) for b in NAMES)],
                  ["class D, one H200 and 16 CPUs, no option but the class", *map(default_cell, NAMES)],
                  ["class D, one H200 and 15 CPUs, `15x1+1`, chosen by hand", *map(hybrid_cell, NAMES)],
                  ["class D, two H200s and 32 CPUs, no option but the class", *(over_two_h200(data, b) for b in NAMES)]])


def plot_of_class_d(data):
    """The picture of docs/results.md; no figure for a text."""
    theirs = {peer["benchmark"]: peer["mops"] for peer in data[FOLDER + "npb-gpu.json"] if peer["class"] == "D"}
    groups = {}
    for benchmark, name in NAMES.items():
        default = of_class(data, benchmark, "D")
        chosen = {"16 CPUs and the GPU, no option but the class": statistics.median(samples(default, "default"))} if default else {}
        by_hand = max(((key[1:], statistics.median(run["mops"] for run in runs)) for key, runs in class_d_groups(data).items()
                       if key[0] == benchmark and key[1] != "+1"), key=lambda found: found[1])
        groups[name] = {**({"NPB-GPU, single zone": theirs[name]} if name in theirs else {}),
                        "the GPU alone, static": median_alone(data, benchmark).mops,
                        **chosen,
                        "CPUs and the GPU, chosen by hand (LU: no zone on the CPUs)": by_hand[1]}
    return bars.draw({name: {bar: mops / 1e6 for bar, mops in found.items()} for name, found in groups.items()},
                     "class D, million Mop/s")
