"""Tables and figures of the documents, each a function of the committed data; used by results.py.

A ratio is made by `over` only, which refuses two programs that did not run the same benchmark and class.
"""

import collections
import json
import math
import pathlib
import statistics

import bars

FIGURES = {}
NAMES = {"sp": "SP-MZ", "bt": "BT-MZ", "lu": "LU-MZ"}


class Unlike(Exception):
    """Two measurements that must not be divided by one another."""


def figure(make):
    FIGURES[make.__name__] = make
    return make


class Data:
    """The files, and which of them were asked for."""

    def __init__(self, folder):
        self.folder, self.asked = pathlib.Path(folder), {}
        with open(self.folder / "about.json", encoding="utf-8") as file:
            self.about = json.load(file)

    def __getitem__(self, name):
        if name not in self.asked:
            self.asked[name] = self.look(name)
        return self.asked[name]

    def look(self, name):
        """Without counting as a use."""
        with open(self.folder / name, encoding="utf-8") as file:
            return json.load(file)

    def names(self, pattern):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.glob(pattern))

    def link(self, name):
        """Of a file that is no JSON."""
        self.asked[name] = None
        return f"[{pathlib.PurePath(name).name}](results/{name})"

    def unused(self):
        return [name for name in self.names("*/*") if name not in self.asked]


# --- like with like

Measured = collections.namedtuple("Measured", "benchmark letter mops")


def over(a, b):
    """The ratio of two rates."""
    if (a.benchmark, a.letter) != (b.benchmark, b.letter):
        raise Unlike(f"{a.benchmark} class {a.letter} over {b.benchmark} class {b.letter}: not the same work")
    return a.mops / b.mops


# --- how numbers look

def spaced(number):
    return f"{number:,.0f}".replace(",", " ")


def rate(mops):
    """Four digits; no run is exacter."""
    digits = max(0, math.floor(math.log10(mops)) - 3)
    return spaced(round(mops, -digits))


def ranged(values, form="{:.3f}"):
    """Median, and least and largest where there are several; nothing of nothing."""
    if not values:
        return ""
    middle = form.format(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({form.format(min(values))} to {form.format(max(values))})"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


# --- on CPUs, by pairs

FOLDER = "2026-11-21/"
FORTRAN = {("sp", "A"): ["sp-A-2x1-against-fortran"], ("bt", "A"): ["bt-A-2x1-against-fortran-plain", "bt-A-2x1-against-fortran-vec"],
           ("lu", "A"): ["lu-A-2x1-against-fortran", "lu-A-2x1-against-fortran-vec"],
           ("sp", "B"): ["sp-B-2x1-against-fortran"], ("bt", "B"): ["bt-B-2x1-against-fortran"],
           ("lu", "B"): ["lu-B-2x1-against-fortran"]}


def option(command, name):
    words = command.split()
    return words[words.index(name) + 1]


def class_of(command):
    """`--class A` of ours, `.A.x` of the Fortran."""
    return option(command, "--class") if "--class" in command else command.split(".")[-2]


def pairs_of(found):
    benchmark = found["a"][:2]
    return [(Measured(found["a"][:2], class_of(found["a"]), a), Measured(found["b"][:2], class_of(found["b"]), b))
            for a, b in found["pairs"]] if benchmark in NAMES else []


def against_fortran(data, benchmark, letter):
    """The comparison with the faster of its versions."""
    all_of = [data[f"{FOLDER}{name}.json"] for name in FORTRAN[benchmark, letter]]
    return max(all_of, key=lambda found: statistics.median(b for _, b in found["pairs"]))


@figure
def fortran(data):
    rows = []
    for benchmark, letter in FORTRAN:
        found = against_fortran(data, benchmark, letter)
        pairs = pairs_of(found)
        rows.append([NAMES[benchmark], letter, f"`{option(found['a'], '--cus')}`, `{option(found['a'], '--schedule')}`",
                     rate(statistics.median(a.mops for a, _ in pairs)), f"`{found['b']}`",
                     rate(statistics.median(b.mops for _, b in pairs)),
                     f"**{ranged([over(a, b) for a, b in pairs], '{:.1f}')}**", len(pairs), f"`{found['commit']}`"])
    return table(["", "class", "Yoke", "Mop/s", "Fortran", "Mop/s", "ratio", "pairs", "commit"], rows)


@figure
def fortran_mean(data, letter):
    ratios = [statistics.median(over(a, b) for a, b in pairs_of(against_fortran(data, benchmark, letter))) for benchmark in NAMES]
    return f"{statistics.geometric_mean(ratios):.1f}"


@figure
def teams(data):
    rows = []
    for benchmark in NAMES:
        found = data[f"{FOLDER}{benchmark}-A-1x2-against-2x1.json"]
        rows.append([NAMES[benchmark], class_of(found["a"]), f"`{option(found['a'], '--schedule')}`",
                     ranged([over(a, b) for a, b in pairs_of(found)]), len(found["pairs"])])
    return table(["", "class", "schedule of both", "`1x2` over `2x1`", "pairs"], rows)


@figure
def kernels(data):
    found = data[FOLDER + "kernels-A.json"]
    whole = collections.Counter()
    for phase in found["phases"]:
        whole[phase["benchmark"]] += phase["core_ns_per_point"]
    rows = []
    for p in found["phases"]:
        rows.append([p["benchmark"], p["phase"], f"{p['core_ns_per_point']:.1f}",
                     f"{100 * p['core_ns_per_point'] / whole[p['benchmark']]:.0f}%", f"{p['flops_per_point']:.0f}",
                     f"{p['divisions_per_point']:.0f}", f"{p['gflops']:.1f}", f"{100 * p['gflops'] / found['fma_gflops']:.0f}%",
                     f"{p['doubles_per_point']:.0f}", f"{p['gbs']:.1f}",
                     f"{100 * p['gbs'] / found['triad_gbs']['as_the_class']:.0f}%"])
    return table(["", "phase", "core ns a point", "share", "flops", "of them div, sqrt", "GFLOP/s", "of fma", "doubles", "GB/s",
                  "of triad"], rows)


@figure
def ceiling(data, *keys):
    found = data[FOLDER + "kernels-A.json"]
    for key in keys:
        found = found[key]
    return f"{found:.0f}"


@figure
def makespans(data):
    runs = [data[name] for name in data.names("2026-11-22/makespan-bt-*.json")]
    runs.sort(key=lambda run: (run["class"], len(run["cus"]), run["cus"]))
    rows = []
    for schedule in runs[0]["makespan_over_best"]:
        rows.append([f"`{schedule}`", *(f"{run['makespan_over_best'][schedule]:.3f}" for run in runs)])
    rows.append(["compared with", *("whole zones" if run["exact"] else "zones cut" for run in runs)])
    return table(["", *(f"{run['class']} `{run['cus']}`" for run in runs)], rows)


# --- cost of a task

def nanoseconds(data, name):
    found = {b["name"].split("/iterations")[0]: b["real_time"] for b in data[FOLDER + "schedulers.json"]["benchmarks"]}
    return found[name]


@figure
def ns(data, name):
    value = nanoseconds(data, name)
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


@figure
def task_costs(data):
    rows = []
    for title, name in (("static", "get_execute_commit/static"), ("static, replayed (memorizing)", "replayed"),
                        ("dynamic, one task at a time", "get_execute_commit/dynamic"),
                        ("dynamic, 16 at a time", "get_execute_commit/dynamic_chunk_16")):
        rows.append([title, ns(data, f"{name}/timing:0"), ns(data, f"{name}/timing:1")])
    rows.append(["libomp: `schedule(dynamic,1)`, empty body", ns(data, "omp_dynamic"), ns(data, "omp_dynamic_timed")])
    rows.append(["libomp: `schedule(monotonic:dynamic,1)`, empty body", ns(data, "omp_dynamic_monotonic"), ""])
    rows.append(["libomp: `task`, one producer", ns(data, "omp_task"), ""])
    return table(["a task, both CUs at work", "ns, not timed", "ns, each task timed"], rows)


@figure
def look_ups(data):
    sizes = (16, 256, 4096)
    rows = [[f"`{name}`", *(ns(data, f"{name}/regions:{n}") for n in sizes)] for name in ("placement_of", "mem_addr")]
    return table(["ns, look-up of a key among", *(f"{n} regions" for n in sizes)], rows)


@figure
def load_of_schedulers(data):
    return " ".join(f"{load:.1f}" for load in data[FOLDER + "schedulers.json"]["context"]["load_avg"])


# --- kernels of a user

@figure
def user_kernels(data):
    runs = data["2026-11-22/user-kernels-2x1.json"]["runs"]
    by_kernel = collections.defaultdict(list)
    for run in runs:
        for k in run["kernels"]:
            by_kernel["large" if k["points"] > 1e6 else "small", k["kernel"]].append(k)
    rows = []
    for size in ("small", "large"):
        for (of_size, kernel), found in by_kernel.items():
            if of_size == size:
                rows.append([kernel, spaced(found[0]["points"]), ranged([k["median_ratio"] for k in found], "{:.2f}"),
                             f"{len(found)} x {len(found[0]['seconds_plain_and_yoke'])}"])
    return table(["kernel", "points", "time of Yoke over the plain loop's", "runs x pairs"], rows)


# --- the default, and what was chosen by hand

SHARES = "2026-11-22/h200-share-of-best.json"


def shares_of(data):
    return sorted(data[SHARES]["shares"], key=lambda s: (s["class"], list(NAMES).index(s["benchmark"])))


def samples(share, name):
    """Rates of whole, verified runs of one choice."""
    return [s["mops"] for s in share["samples"] if s["name"] == name and s["verification"] == "SUCCESSFUL"]


def of_class(data, benchmark, letter):
    return next(s for s in shares_of(data) if (s["benchmark"], s["class"]) == (benchmark, letter))


@figure
def shares(data):
    rows = []
    for s in shares_of(data):
        rows.append([NAMES[s["benchmark"]], s["class"], rate(statistics.median(samples(s, "default"))),
                     f"`{s['best'].replace(' ', '`, `')}`", rate(statistics.median(samples(s, s["best"]))), ranged(s["ratios"]),
                     len(s["ratios"])])
    return table(["", "class", "default, Mop/s", "best by hand", "Mop/s", "share, median of pairs", "pairs"], rows)


@figure
def share_range(data, letters, *without):
    """Least and largest share of these classes, some benchmarks of a class left out (`bt-C`)."""
    found = [s["share"] for s in shares_of(data) if s["class"] in letters and f"{s['benchmark']}-{s['class']}" not in without]
    return f"{min(found):.2f} to {max(found):.2f}"


@figure
def share(data, benchmark, letter):
    return f"{of_class(data, benchmark, letter)['share']:.2f}"


# --- bits and changes

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


# --- one H200

D_PAIRS, DETAILS = FOLDER + "h200-D-pairs.json", FOLDER + "h200-*-D*.json"


def details(data):
    return [data[name] for name in data.names(DETAILS) if "pairs" not in name]


def class_d_groups(data):
    """(benchmark, cus, schedule) -> runs, the GPU alone first."""
    found = data[D_PAIRS]
    groups = collections.defaultdict(list)
    for p in found["pairs"]:
        groups[p["benchmark"], "+1", "static"].append(p["alone"])
    for run in [{"benchmark": p["benchmark"], "partner": p["alone"], **p["hybrid"]} for p in found["pairs"]] + found["others"]:
        groups[run["benchmark"], run["cus"], run["schedule"]].append(run)
    for d in details(data):  # runs that only their own file has
        key = d["benchmark"][:2].lower(), d["cus"], d["schedule"]
        if key not in groups:
            groups[key].append({**d, "other_call": True})
    return dict(sorted(groups.items(), key=lambda group: list(NAMES).index(group[0][0])))


def zones_on_cpus(data, runs):
    """Of the runs whose own file says which unit had which zone."""
    found = []
    for d in details(data):
        if any(math.isclose(run["seconds"], d["seconds"]) for run in runs):
            gpus = {u["id"] for u in d["units"] if u["kind"] == "gpu"}
            found.append(sum(t["unit"] not in gpus for t in d["tasks"]))
    return ", ".join(str(n) for n in sorted(set(found)))


def steps_of(data, benchmark):
    return next(d["iterations"] for d in details(data) if d["benchmark"] == NAMES[benchmark])


def median_alone(data, benchmark):
    return Measured(benchmark, "D", statistics.median(run["mops"] for run in class_d_groups(data)[benchmark, "+1", "static"]))


def gains(data, benchmark, runs):
    """Of the CPUs' own rate, how much the CPUs add; by the schedule that suits them best."""
    alone_cpus = data[D_PAIRS]["cpus_alone"].get(benchmark)
    if not alone_cpus:
        return []
    cpus = max(run["steps"] / run["seconds"] for run in alone_cpus)
    steps = steps_of(data, benchmark)
    alone = statistics.median(run["seconds"] for run in class_d_groups(data)[benchmark, "+1", "static"])
    return [(steps / run["seconds"] - steps / run.get("partner", {}).get("seconds", alone)) / cpus for run in runs]


def over_alone(data, benchmark, run):
    """Of its pair, or else of the median of the same call."""
    alone = Measured(benchmark, "D", run["partner"]["mops"]) if "partner" in run else median_alone(data, benchmark)
    return over(Measured(benchmark, "D", run["mops"]), alone)


@figure
def class_d(data):
    rows = []
    for (benchmark, cus, schedule), runs in class_d_groups(data).items():
        compared = [] if cus == "+1" else [run for run in runs if "other_call" not in run]
        a_step = statistics.median(run["seconds"] for run in runs) / steps_of(data, benchmark)
        rows.append([NAMES[benchmark], f"`{cus}`, `{schedule}`", "" if cus == "+1" else zones_on_cpus(data, runs),
                     rate(statistics.median(run["mops"] for run in runs)), f"{1e3 * a_step:.2f}",
                     ranged([over_alone(data, benchmark, run) for run in compared]),
                     ranged(gains(data, benchmark, compared), "{:.2f}"),
                     f"{len(runs)}{' pairs' if 'partner' in runs[0] else ''}"])
    return table(["", "", "zones on CPUs", "Mop/s", "ms a step", "over the GPU alone", "CPU gain", "runs"], rows)


@figure
def cpus_alone(data):
    rows = [[NAMES[benchmark], f"`{run['cus']}`, `{run['schedule']}`", run["steps"], f"{run['steps'] / run['seconds']:.2f}"]
            for benchmark, runs in data[D_PAIRS]["cpus_alone"].items() for run in runs]
    return table(["class D", "", "steps", "steps a second"], rows)


def gpu_alone(data, benchmark, letter):
    if letter == "D":
        return median_alone(data, benchmark)
    return Measured(benchmark, letter, statistics.median(samples(of_class(data, benchmark, letter), "+1 static")))


@figure
def npb_gpu(data):
    rows = []
    for peer in sorted(data[FOLDER + "npb-gpu.json"], key=lambda p: (p["class"], list(NAMES.values()).index(p["benchmark"]))):
        benchmark = peer["benchmark"][:2].lower()
        theirs, ours = Measured(benchmark, peer["class"], peer["mops"]), gpu_alone(data, benchmark, peer["class"])
        rows.append([NAMES[benchmark], peer["class"], rate(ours.mops), rate(theirs.mops), f"{over(ours, theirs):.1f}"])
    return table(["", "class of both", "Yoke, `+1`, `static`", "NPB-GPU", "ratio"], rows)


@figure
def matrix(data):
    runs = data[FOLDER + "h200-matrix.json"]["runs"]
    columns = list(dict.fromkeys(run["configuration"] for run in runs))
    rows = []
    for letter in "SWABCD":
        of_letter = [run for run in runs if run["class"] == letter]
        cells = []
        for configuration in columns:
            here = [run for run in of_letter if run["configuration"] == configuration]
            good = sum(run["verdict"] == ("NOT PERFORMED" if run["steps"] else "SUCCESSFUL") for run in here)
            cells.append(f"{good} of {len(here)}" if here else "")
        sets = {b: len({run["norms_set"] for run in of_letter if run["benchmark"] == b}) for b in NAMES}
        rows.append([letter + (", 10 steps" if of_letter[0]["steps"] else ""), *cells, max(sets.values())])
    return table(["class", *(f"`{c}`" for c in columns), "sets of norms of a benchmark"], rows)


# --- README

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
        return f"{rate(statistics.median(samples(s, 'default')))} ({s['share']:.3f} of `{s['best'].replace(' ', '`, `')}`)"

    rates, ratios = zip(*fortran_cells("A"))
    return table(["Mop/s total", *NAMES.values()],
                 [["class A, 2 CPUs (N), `2x1`", *rates], ["… over the reference Fortran, class A, same CPUs, pairs by turns", *ratios],
                  ["class D, one H200, `+1`, `static`", *(rate(median_alone(data, b).mops) for b in NAMES)],
                  ["class D, one H200 and 16 CPUs, no option but the class", *map(default_cell, NAMES)],
                  ["class D, one H200 and 15 CPUs, `15x1+1`, chosen by hand", *map(hybrid_cell, NAMES)]])


def plot_of_class_d(data):
    """The picture of docs/results.md; no figure for a text."""
    theirs = {peer["benchmark"]: peer["mops"] for peer in data[FOLDER + "npb-gpu.json"] if peer["class"] == "D"}
    groups = {}
    for benchmark, name in NAMES.items():
        default = of_class(data, benchmark, "D")
        by_hand = max(((key[1:], statistics.median(run["mops"] for run in runs)) for key, runs in class_d_groups(data).items()
                       if key[0] == benchmark and key[1] != "+1"), key=lambda found: found[1])
        groups[name] = {**({"NPB-GPU, single zone": theirs[name]} if name in theirs else {}),
                        "the GPU alone, static": median_alone(data, benchmark).mops,
                        "16 CPUs and the GPU, no option but the class": statistics.median(samples(default, "default")),
                        "CPUs and the GPU, chosen by hand (LU: no zone on the CPUs)": by_hand[1]}
    return bars.draw({name: {bar: mops / 1e6 for bar, mops in found.items()} for name, found in groups.items()},
                     "class D, million Mop/s")


# --- where the data come from

def records_of(found):
    """Whatever a file says of commit, machine and program, from new files and from old ones."""
    if isinstance(found, list):
        return {}
    record = found.get("record")
    if record:
        host = record["host"]
        return {"commit": record["commit"], "cpu": f"{host['cpu']}, {host['cpus']}", "compiler": record["build"]["compiler"],
                "load": f"{host['load'][0]:.1f}"}
    first = found["runs"][0] if isinstance(found.get("runs"), list) and "commit" in found["runs"][0] else found
    commit = first.get("commit") or (f"{first['new']}, {first['base']}" if "base" in first else None)
    machine = first.get("machine")
    cpu = f"{machine['cpu']}, {machine['cpus']}" if isinstance(machine, dict) else None
    if "cpu" in first:
        cpu = f"{first['cpu']}, {first['cpus']}"
    load = found.get("context", {}).get("load_avg")
    return {"commit": commit, "cpu": cpu, "compiler": first.get("compiler"), "load": f"{load[0]:.1f}" if load else None}


@figure
def sources(data):
    rows = []
    for name in data.names("*/*"):
        about, said = data.about.get(name, {}), records_of(data.look(name)) if name.endswith(".json") else {}
        if not said.get("commit") and "committed" not in about:
            raise KeyError(f"{name}, which says no commit, in about.json")
        commit = f"`{said['commit']}`" if said.get("commit") else f"none; file of `{about['committed']}`"
        rows.append([f"[{pathlib.PurePath(name).stem}](results/{name})", about.get("machine", "any"),
                     commit + (f" ({about['remark']})" if "remark" in about else ""), said.get("cpu") or "–",
                     said.get("compiler") or "–", said.get("load") or "–"])
    return table(["data", "machine", "commit", "CPU, count", "compiler", "load"], rows)


@figure
def text_file(data, name):
    return data.link(name)
