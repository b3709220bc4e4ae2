"""On CPUs: against the Fortran, kernels, makespans, the cost of a task."""

import collections
import statistics

from figures.data import FOLDER, Measured, NAMES, figure, option, over, ranged, rate, spaced, table

COVERAGE = "2026-11-24/coverage.json"
FORTRAN = {("sp", "A"): ["sp-A-2x1-against-fortran"], ("bt", "A"): ["bt-A-2x1-against-fortran-plain", "bt-A-2x1-against-fortran-vec"],
           ("lu", "A"): ["lu-A-2x1-against-fortran", "lu-A-2x1-against-fortran-vec"],
           ("sp", "B"): ["sp-B-2x1-against-fortran"], ("bt", "B"): ["bt-B-2x1-against-fortran"],
           ("lu", "B"): ["lu-B-2x1-against-fortran"]}


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
    runs = [data[name] for name in data.names("2026-11-23/makespan-bt-*.json")]
    runs.sort(key=lambda run: (run["class"], len(run["cus"]), run["cus"]))
    rows = []
    for schedule in runs[0]["makespan_over_best"]:
        rows.append([f"`{schedule}`", *(f"{run['makespan_over_best'][schedule]:.3f}" for run in runs)])
    rows.append(["compared with", *("whole zones" if run["exact"] else "zones cut" for run in runs)])
    return table(["", *(f"{run['class']} `{run['cus']}`" for run in runs)], rows)


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


@figure
def coverage(data):
    """Percent of the branches and lines of each room that its tests take."""
    return table(["room", "branches", "lines"],
                 [[f"`{room['room']}`", f"{room['branches']:.1f}%", f"{room['lines']:.1f}%"] for room in data[COVERAGE]["rooms"]])


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


@figure
def loops_on_cpus(data):
    """Each loop beside plain OpenMP by turns."""
    rows = []
    for name in ("2026-11-23/apps-2x1.json", "2026-11-23/apps-256-2x1.json"):
        for each in data[name]["apps"]:
            plain, own = (statistics.median(pair[n] for pair in each["seconds_plain_and_yoke"]) for n in (0, 1))
            ratios = sorted(pair[1] / pair[0] for pair in each["seconds_plain_and_yoke"])
            quarter = len(ratios) // 4
            rows.append([each["app"], each["shape"], f"{1e3 * plain:.3f}", f"{1e3 * own:.3f}",
                         f"{each['median_ratio']:.2f} ({ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f})"])
    return table(["loop", "elements", "plain, ms", "Yoke, ms", "ratio"], rows)


BABELSTREAM = {"16 CPUs of H": "2026-11-26/h200-babelstream-cpus.json", "N2": "2026-11-26/babelstream-2x1.json"}


@figure
def babelstream_on_cpus(data):
    """Mean times of BabelStream's functions in OpenMP over Yoke's, by the order of runs."""
    rows = []
    for where, name in BABELSTREAM.items():
        runs = data[name]["runs"]
        for at, app in enumerate(runs[0]["yoke"]["apps"]):
            theirs = [run["peer"][at]["mean"] for run in runs]
            own = [statistics.mean(pair[1] for pair in run["yoke"]["apps"][at]["seconds_plain_and_yoke"]) for run in runs]
            ratios = [a / b for a, b in zip(theirs, own)]
            rows.append([where, f"`{runs[0]['yoke']['cus']}`", app["app"], app["shape"], f"{1e3 * statistics.median(theirs):.2f}",
                         f"{1e3 * statistics.median(own):.2f}", ranged(ratios, "{:.2f}"), len(runs)])
    return table(["machine", "CUs", "function", "elements", "OpenMP, ms", "Yoke, ms", "rate of Yoke over it", "runs"], rows)
