"""The default beside what was chosen by hand, random runs, and pairs of two builds."""

import statistics

from figures.data import Measured, NAMES, figure, option, over, ranged, rate, spaced, table

SHARES = ("2026-11-29/h200-share-B.json", "2026-11-29/h200-share-C.json", "2026-11-29/h200-share-D.json")
SHARES_BEFORE = "2026-11-29/h200-share-C-before.json"
SHARES_BY_WALL = "2026-11-29/h200-share-wall.json"
SHARES_ON_16_CPUS = ("2026-11-28/cpus16-share-AW.json", "2026-11-28/cpus16-share-C.json", "2026-11-28/cpus16-share-lu-C.json",
                     "2026-11-28/cpus16-share-sp-bt-C.json", "2026-11-28/cpus16-share-lu-A.json", "2026-11-28/cpus16-share-lu-C-again.json")
LU_ON_16_CPUS_BEFORE = {"A": ("A", SHARES_ON_16_CPUS[0]), "16x1": ("C", SHARES_ON_16_CPUS[1]), "C": ("C", SHARES_ON_16_CPUS[2])}
CPU_GAIN = {"now": {benchmark: "2026-11-29/h200-cpu-gain-D-late.json" for benchmark in ("sp", "bt")},
            "waiting": {benchmark: "2026-11-29/h200-cpu-gain-D.json" for benchmark in ("sp", "bt")},
            "again": {benchmark: "2026-11-28/h200-cpu-gain-D-again.json" for benchmark in ("sp", "bt")},
            "before": {"sp": "2026-11-28/h200-cpu-gain-D.json", "bt": "2026-11-24/h200-cpu-gain-D.json"}}
SHARES_OF_TWO = tuple(f"2026-11-29/h200-x2-share-{letter}.json" for letter in "BCD")
SHARES_OF_TWO_AMONG_GPUS = "2026-11-27/h200-x2-share-of-gpus.json"
SHARES_OF_TWO_BY_WALL = "2026-11-29/h200-x2-share-wall.json"
SHARES_ON_32_CPUS = ("2026-11-29/cpus32-share-B.json", "2026-11-27/cpus32-share-C.json")
SHARE_ON_32_CPUS_BEFORE = "2026-11-27/cpus32-share-B-before.json"
SHARES_ON_CPUS = "2026-11-24/cpus-share-of-best.json"
SHARES_WITH_EMULATED = {slowdown: f"2026-11-27/emulated-{slowdown}-share-of-best.json" for slowdown in (1, 4, 16)}
PAIRS_BEFORE_ROOMS = "2026-11-24/{}-A-2x1-before-rooms.json"
PAIRS_OVER_ONE_POOL = "2026-11-24/{}-A-over-one-pool.json"
CLASS_D_BEFORE_ROOMS = "2026-11-24/h200-D-before-rooms.json"
SECOND_RUNS = "2026-11-24/h200-second-runs.json"
TWO = "2026-11-25/h200-x2.json"
TWO_IN_PARTS = "2026-11-25/h200-x2-D.json"


def shares_of(data, *names):
    """By class and benchmark; of what was measured twice the later file's."""
    newest = {(s["class"], s["benchmark"]): s for name in names for s in data[name]["shares"]}
    return sorted(newest.values(), key=lambda s: (s["class"], list(NAMES).index(s["benchmark"])))


def shares_of_one_gpu(data):
    return shares_of(data, *SHARES)


def samples(share, name):
    """Rates of whole, verified runs of one choice."""
    return [s["mops"] for s in share["samples"] if s["name"] == name and s["verification"] == "SUCCESSFUL"]


def of_class(data, benchmark, letter):
    """None where it was not measured."""
    return next((s for s in shares_of_one_gpu(data) if (s["benchmark"], s["class"]) == (benchmark, letter)), None)


@figure
def shares(data):
    return table_of_shares(shares_of_one_gpu(data))


@figure
def share_before(data, benchmark):
    """Class C on another machine, before."""
    return ranged(next(s for s in shares_of(data, SHARES_BEFORE) if s["benchmark"] == benchmark)["ratios"])


@figure
def shares_of_two_gpus(data):
    return table_of_shares(shares_of(data, *SHARES_OF_TWO))


def rates_of_two(data, name, *which):
    """Of whole runs: `which` is a benchmark, a class and a choice."""
    return [r["mops"] for r in data[name]["runs"] if (r["benchmark"], r["class"], r["name"]) == which]


def over_one_gpu(data, benchmark, letter, choice, name=TWO):
    """Rates of whole runs over the median of one GPU in the same call; nothing where it was not measured."""
    one = statistics.median(rates_of_two(data, name, benchmark, letter, "one"))
    return [rate / one for rate in rates_of_two(data, name, benchmark, letter, choice)]


def lost(direct, frozen):
    return f"{100 * (1 - statistics.median(direct) / statistics.median(frozen)):.1f}%"


@figure
def two_h200(data):
    """Two GPUs: rates over one, and what the exchange between them costs."""
    rows = []
    for letter in "DC":
        for short, name in NAMES.items():
            def of(choice, *, short=short, letter=letter):
                return over_one_gpu(data, short, letter, choice)

            frozen = of("frozen")
            before = over_one_gpu(data, short, letter, "default", TWO_IN_PARTS) if letter == "D" else []
            rows.append([name, letter, rate(statistics.median(rates_of_two(data, TWO, short, letter, "default"))),
                         *(ranged(found) for found in (of("default"), of("+2 static"), frozen)),
                         lost(of("+2 static") or of("default"), frozen) if frozen else "", ranged(before)])
    return table(["", "class", "default, Mop/s", "default", "`+2`, `static`", "…, faces frozen", "exchange", "in two parts throughout"], rows)


@figure
def lost_before_the_limit(data):
    """By exchange, in the first 150 steps of SP-MZ class D."""
    return lost(*(rates_of_two(data, TWO, "sp", "D", choice) for choice in ("150 steps", "150 steps frozen")))


@figure
def over_two_h200(data, benchmark):
    """Of the default in class D: rate, and that over one GPU."""
    return f"{rate(statistics.median(rates_of_two(data, TWO, benchmark, 'D', 'default')))} ({statistics.median(over_one_gpu(data, benchmark, 'D', 'default')):.2f} of one)"


@figure
def walls_of_two(data, choice):
    """Seconds of whole processes of BT-MZ class A."""
    return ranged([r["wall_s"] for r in data[TWO]["runs"] if (r["benchmark"], r["class"], r["name"]) == ("bt", "A", choice)], "{:.2f}")


@figure
def second_runs(data):
    """Of the same program: seconds of the steps, of set-up, and the part of the steps that deciding took."""
    def of(run):
        return [f"{run['seconds']:.3f}", f"{run['setup_s']:.2f}", f"{100 * run['deciding_s'] / run['seconds']:.2f}%"]

    rows = [[NAMES[pair["benchmark"]], pair["class"], *of(pair["first"]), *of(pair["second"])] for pair in data[SECOND_RUNS]["runs"]]
    return table(["", "class", "first run, s", "set-up, s", "deciding", "second run, s", "set-up, s", "deciding"], rows)


@figure
def over_gpu_alone(data, letter):
    pairs = [p for p in data[SECOND_RUNS]["pairs"] if p["class"] == letter]
    return ", ".join(f"{NAMES[p['benchmark']]} {ranged(p['default_over_gpu'])}" for p in pairs)


@figure
def shares_on_cpus(data):
    return table_of_shares(shares_of(data, SHARES_ON_CPUS))


@figure
def shares_on_16_cpus(data):
    return table_of_shares(shares_of(data, *SHARES_ON_16_CPUS))


@figure
def lu_share_on_16_cpus_before(data, which):
    """Class A or C on another machine, or class C as 16x1."""
    letter, name = LU_ON_16_CPUS_BEFORE[which]
    shares = shares_of(data, name)
    return ranged(next(s for s in shares if (s["benchmark"], s["class"]) == ("lu", letter))["ratios"])


@figure
def shares_on_32_cpus(data):
    return table_of_shares(shares_of(data, *SHARES_ON_32_CPUS))


@figure
def share_on_32_cpus_before(data):
    return ranged(shares_of(data, SHARE_ON_32_CPUS_BEFORE)[0]["ratios"])


@figure
def shares_of_two_among_gpus(data):
    return table_of_shares(shares_of(data, SHARES_OF_TWO_AMONG_GPUS))


@figure
def cpu_gain(data, when, benchmark, choice):
    """Steps a second that the default, or the pool by hand, has above the GPU alone, over those that the CPUs make alone."""
    run = next(r for r in data[CPU_GAIN[when][benchmark]]["runs"] if r["benchmark"] == benchmark)
    speed = {kind: [r["iterations"] / r["seconds"] for r in run[kind]] for kind in (choice, "gpu", "cpus")}
    gains = [(both - gpu) / max(speed["cpus"]) for both, gpu in zip(speed[choice], speed["gpu"])]
    return f"{statistics.median(gains):.2f} ({min(gains):.2f} to {max(gains):.2f})"


def table_by_wall(shares):
    """Milliseconds of whole processes."""
    def wall(share, name):
        return f"{1e3 * statistics.median(s['wall_s'] for s in share['samples'] if s['name'] == name):.0f}"

    rows = []
    for s in shares:
        chosen = next(sample["cus"] for sample in s["samples"] if sample["name"] == "default")
        rows.append([NAMES[s["benchmark"]], s["class"], f"`{chosen}`", wall(s, "default"), f"`{s['best'].replace(' ', '`, `')}`",
                     wall(s, s["best"]), ranged(s["ratios"]), f"{statistics.median(s['above_5_percent_ms']):+.0f}", len(s["ratios"])])
    return table(["", "class", "chosen", "default, ms", "best by hand", "ms", "share, median of pairs", "above 1.05 times, ms", "pairs"], rows)


@figure
def shares_by_wall(data):
    return table_by_wall(shares_of(data, SHARES_BY_WALL))


@figure
def shares_of_two_by_wall(data):
    return table_by_wall(shares_of(data, SHARES_OF_TWO_BY_WALL))


@figure
def shares_with_emulated(data):
    rows = []
    for slowdown, name in SHARES_WITH_EMULATED.items():
        for s in shares_of(data, name):
            rows.append([f"{slowdown} times", NAMES[s["benchmark"]], s["class"], f"`{s['best'].replace(' ', '`, `')}`", ranged(s["ratios"]),
                         f"{statistics.median(s['above_5_percent_ms']):+.0f}", len(s["ratios"])])
    return table(["slowed", "", "class", "best by hand", "share, median of pairs", "process above 1.05 times, ms", "pairs"], rows)


@figure
def before_rooms(data):
    rows = []
    for benchmark, name in NAMES.items():
        found = data[PAIRS_BEFORE_ROOMS.format(benchmark)]
        ratios = [over(Measured(benchmark, "A", new), Measured(benchmark, "A", old)) for new, old in found["pairs"]]
        before = found["b"].split()[0].rpartition(".")[2]  # of such a build's program: bt-mz.e66db2e
        rows.append([name, "A", "N", "`2x1`, `static`", ranged(ratios), len(ratios), "", f"`{found['records']['a']['commit'][:7]}` over `{before}`"])
    found = data[CLASS_D_BEFORE_ROOMS]
    norms = "the same" if found["norms_are_the_same"] else "OTHERS"
    for benchmark, name in NAMES.items():
        ratios = [over(Measured(benchmark, "D", new), Measured(benchmark, "D", old)) for new, old in found["pairs"][benchmark]]
        rows.append([name, "D", "H", "`+1`, `static`", ranged(ratios), len(ratios), norms, f"`{found['a'][:7]}` over `{found['b']}`"])
    return table(["", "class", "machine", "", "ratio", "pairs", "norms", "commits"], rows)


@figure
def over_one_pool(data):
    """The default with a part of the pool for each CPU CU, over the commit before."""
    rows = []
    for benchmark, name in NAMES.items():
        found = data[PAIRS_OVER_ONE_POOL.format(benchmark)]
        pairs = [(Measured(benchmark, "A", new), Measured(benchmark, "A", old)) for new, old in found["pairs"]]
        rows.append([name, *(rate(statistics.median(pair[side].mops for pair in pairs)) for side in (0, 1)),
                     ranged([over(new, old) for new, old in pairs]), len(pairs)])
    return table(["class A, 2 CPUs, no option but the class", "Mop/s", "commit before", "ratio", "pairs"], rows)


def table_of_shares(shares):
    rows = []
    for s in shares:
        rows.append([NAMES[s["benchmark"]], s["class"], rate(statistics.median(samples(s, "default"))),
                     f"`{s['best'].replace(' ', '`, `')}`", rate(statistics.median(samples(s, s["best"]))), ranged(s["ratios"]),
                     len(s["ratios"])])
    return table(["", "class", "default, Mop/s", "best by hand", "Mop/s", "share, median of pairs", "pairs"], rows)


@figure
def share_range(data, gpus, letters):
    """Least and largest share of these classes on so many GPUs."""
    names = {"1": SHARES, "2": SHARES_OF_TWO}[gpus]
    found = [s["share"] for s in shares_of(data, *names) if s["class"] in letters]
    return f"{min(found):.3f} to {max(found):.3f}"


@figure
def share(data, benchmark, letter):
    return f"{of_class(data, benchmark, letter)['share']:.2f}"


@figure
def random_run(data, device, key):
    found = next(r for r in data["2026-11-22/random-runs.json"]["runs"] if r["device"] == device)
    return spaced(found[key]) if key != "seed" else str(found[key])


@figure
def before_after(data):
    found = data["2026-11-22/before-after.json"]
    rows = []
    for run in found["runs"]:
        letter, benchmark = run["label"].split("-")[0], next(b for b in NAMES if b in run["label"].split("-"))
        ratios = [over(Measured(benchmark, letter, new), Measured(benchmark, letter, base)) for new, base in run["new_base_mops"]]
        rows.append([NAMES[benchmark], letter, "N" if "machine" in run else "H",
                     f"`{option(' '.join(run['args']), '--cus')}`, `{option(' '.join(run['args']), '--schedule')}`",
                     ranged(ratios), len(ratios), "the same" if run["same_norms"] else "OTHERS",
                     f"`{run.get('new', found['new'])}` over `{found['base']}`"])
    return table(["", "class", "machine", "", "ratio", "pairs", "norms", "commits"], rows)


@figure
def defaults_over_one(data, letter):
    """The default's rate over that of `+1` under `static`, a run each."""
    runs = data["2026-11-25/h200-defaults-BC.json"]["runs"]
    mops = {(run["benchmark"], run["class"], run["name"]): run["mops"] for run in runs}
    return ", ".join(f"{name} {mops[name, letter, 'default'] / mops[name, letter, 'one']:.3f}" for name in NAMES.values())
