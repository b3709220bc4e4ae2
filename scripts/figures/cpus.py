"""On CPUs: against the Fortran, kernels, makespans, the cost of a task."""

import collections
import statistics

from figures.data import FOLDER, Measured, NAMES, figure, option, over, ranged, rate, spaced, table

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
                     f"**{ranged([over(a, b) for a, b in pairs], '{:.1f}')}**", len(pairs)])
    return table(["", "class", "Yoke", "Gop/s", "Fortran", "Gop/s", "ratio", "pairs"], rows)


@figure
def fortran_mean(data, letter):
    ratios = [statistics.median(over(a, b) for a, b in pairs_of(against_fortran(data, benchmark, letter))) for benchmark in NAMES]
    return f"{statistics.geometric_mean(ratios):.1f}"


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
def load_of_schedulers(data):
    return " ".join(f"{load:.1f}" for load in data[FOLDER + "schedulers.json"]["context"]["load_avg"])


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


BABELSTREAM = "2026-11-26/h200-babelstream-cpus.json"


@figure
def babelstream_on_cpus(data):
    """Mean times of BabelStream's functions in OpenMP over Yoke's, by the order of runs."""
    runs = data[BABELSTREAM]["runs"]
    rows = []
    for at, app in enumerate(runs[0]["yoke"]["apps"]):
        theirs = [run["peer"][at]["mean"] for run in runs]
        own = [statistics.mean(pair[1] for pair in run["yoke"]["apps"][at]["seconds_plain_and_yoke"]) for run in runs]
        rows.append([app["app"], f"{1e3 * statistics.median(theirs):.2f}", f"{1e3 * statistics.median(own):.2f}",
                     ranged([a / b for a, b in zip(theirs, own)], "{:.2f}"), len(runs)])
    return table(["function", "OpenMP, ms", f"Yoke, `{runs[0]['yoke']['cus']}`, ms", "rate of Yoke over it", "runs"], rows)
