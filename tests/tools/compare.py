#!/usr/bin/env python3
"""yoke compare: what it measures, keeps, goes on with, draws and refuses.

compare.py YOKE PROJECT
"""
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

YOKE, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
MACHINE = str(PROJECT / "docs/examples/machines/epyc-2-mi50-sp.json")
sys.path.insert(0, str(PROJECT / "tools/compare"))
import gantt  # noqa: E402
import intervals  # noqa: E402

# Logs who ran, and tells a rate that depends on the schedule.
PROGRAM = """import os, sys
schedule = os.environ["YOKE_SCHEDULE"]
if "YOKE_TRACE" not in os.environ:
    with open(sys.argv[1], "a") as log: log.write(schedule + "\\n")
if schedule == "guided": sys.exit("out of patience")
runs = open(sys.argv[1]).read().split().count(schedule)
print("rate =", {"static": 10, "dynamic": 20 + (runs % 2) * float(sys.argv[2])}[schedule])
"""
RATE = ["--rate", "rate = ([0-9.]+)"]
HAS_PLOTS = subprocess.run(["python3", "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def compare(folder, *arguments, status=0, environment=None):
    done = subprocess.run([YOKE, "compare", "--out", str(folder / "out"), *arguments], capture_output=True, text=True, timeout=300,
                          env=os.environ | (environment or {}), check=False)
    expect(done.returncode == status, f"{arguments}: status {done.returncode}, {done.stdout}{done.stderr}")
    return done


def rows(folder):
    with open(folder / "out/compare.csv", newline="", encoding="utf-8") as file:
        return {(row["program"].split("/")[-1], row["cus"], row["schedule"]): row for row in csv.DictReader(file)}


def program(folder, spread=0.0):
    path = folder / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return ["--", sys.executable, str(path), str(folder / "log"), str(spread)]


def log_of(folder):
    return (folder / "log").read_text(encoding="utf-8").split()


def schedules_are_measured_by_turns(folder):
    done = compare(folder, "--cus", "1x1", "--schedule", "static", "--schedule", "dynamic", *RATE, *program(folder))
    ran = log_of(folder)
    expect(len(ran) == 6 and all(set(ran[i:i + 2]) == {"static", "dynamic"} for i in (0, 2, 4)), f"by turns: {ran}")
    found = {key[2]: row for key, row in rows(folder).items()}
    expect(float(found["dynamic"]["rate"]) == 20 and float(found["dynamic"]["speedup"]) == 2, f"rates: {found}")
    expect(float(found["static"]["regret"]) == 1 and float(found["dynamic"]["regret"]) == 0, f"regret: {found}")
    expect("| 20 |" in done.stdout and done.stdout == (folder / "out/compare.md").read_text(encoding="utf-8"), done.stdout)
    again = compare(folder, "--cus", "1x1", "--schedule", "static", "--schedule", "dynamic", *RATE, *program(folder))
    expect(len(log_of(folder)) == 6 and again.stdout == done.stdout, "what is known was measured again")
    shown = compare(folder, "--json", "--cus", "1x1", "--schedule", "static", *RATE, *program(folder)).stdout
    expect(json.loads(shown) == json.loads((folder / "out/compare.json").read_text(encoding="utf-8")), shown)
    compare(folder, "--cus", "1x1", "--rate", "other ([0-9]+)", *program(folder), status=2)


def a_wide_interval_takes_more_runs_until_the_time_is_over(folder):
    asked = ["--cus", "1x1", "--schedule", "dynamic", *RATE, "--accuracy", "4"]
    compare(folder, *asked, *program(folder, 2.0))
    few = len(log_of(folder))
    values = [20 + 2.0 * ((n + 1) % 2) for n in range(few)]
    expect(few > 3 and intervals.relative(values) <= 0.04 < intervals.relative(values[:-1]), f"{few} runs for 4%")
    done = compare(folder, *asked[:-1], "0.001", "--budget", "1e-9", *program(folder, 2.0))
    expect("the same command goes on" in done.stderr and len(log_of(folder)) == few, f"no time: {done.stderr}")


def a_failing_run_is_told_and_the_others_go_on(folder):
    done = compare(folder, "--cus", "1x1", "--schedule", "guided", "--schedule", "static", *RATE, *program(folder),
                   status=1)
    found = {key[2]: row for key, row in rows(folder).items()}
    expect("out of patience" in found["guided"]["failure"] and found["static"]["runs"] == "3", f"{found} {done.stderr}")
    expect(log_of(folder).count("guided") == 1, "what failed was run again")
    compare(folder, "--cus", "1x1", "--schedule", "static", *RATE, "--", "true", status=1)
    compare(folder, "--cus", "1x1", "--schedule", "static", *RATE, "--budget", "1", "--", "sleep", "60", status=1)
    cells = json.loads((folder / "out/compare.json").read_text(encoding="utf-8"))["cells"]
    expect("was ended after 1 s" in (cells[0]["failure"] or ""), f"a run without end: {cells[0]}")
    compare(folder, "--cus", "1x1", "--schedule", "static", *RATE, "--", "true", status=1)
    told = json.loads((folder / "out/compare.json").read_text(encoding="utf-8"))["cells"][0]["failure"]
    expect("its output has nothing like" in told, told)


def virtual_machines_have_regret_idle_and_bytes(folder):
    compare(folder, "--machine", MACHINE, "--class", "SP:C", "--class", "BT:W", "--cus", "8x1+1", "--cus", "16x1",
            "--schedule", "auto", "--schedule", "static", "--accuracy", "5")
    found = rows(folder)
    expect(len(found) == 8, f"rows: {list(found)}")
    for row in found.values():
        expect(float(row["regret"]) >= -0.05 and 0 <= float(row["idle"]) < 1, f"{row}")
    expect(float(found["SP:C", "8x1+1", "auto"]["bytes"]) > 0 and float(found["SP:C", "16x1", "auto"]["bytes"]) == 0, "bytes")
    page = (folder / "out/index.html").read_text(encoding="utf-8")
    expect("BT:W" in page and not re.search(r"(src|href)=\"http", page), "the page needs a network")
    pictures = page.count("data:image/svg+xml;base64,")
    if HAS_PLOTS:
        names = {path.name for path in (folder / "out").glob("*.png")}
        expect(names == {f"{kind}-{n}.png" for kind in ("speedup", "idle", "exchange", "gantt") for n in (1, 2)}, f"plots: {names}")
        expect(pictures == 8, f"{pictures} pictures in the page")
    else:
        print("[skipped] no matplotlib: plots")


def orders_of_passes_are_not_mixed(folder):
    on = ["--machine", MACHINE, "--class", "SP:W", "--cus", "4x1", "--schedule", "static"]
    compare(folder, *on, "--order", "dataflow")
    compare(folder, *on, "--order", "dataflow")
    told = compare(folder, *on, status=2).stderr
    expect("was measured with --order 'dataflow', not 'barrier'" in told, told)


def wrong_usage_is_refused(folder):
    for arguments, said in [
        ([], "needs a program"),
        (["--", "true"], "at least one --cus"),
        (["--cus", "2y1", "--", "true"], "position 2"),
        (["--cus", "1x1", "--schedule", "nosuch", "--", "true"], "nosuch"),
        (["--cus", "1x1", "--rate", "(", "--", "true"], "no regular expression"),
        (["--cus", "1x1", "--rate", "x", "--", "true"], "needs a group"),
        (["--cus", "1x1", "--class", "SP:C", "--", "true"], "with --machine only"),
        (["--cus", "1x1", "--order", "dataflow", "--", "true"], "--order with --machine only"),
        (["--machine", MACHINE], "needs tasks"),
        (["--machine", MACHINE, "--class", "SP:C", "--", "true"], "no program"),
        (["--cus", "1x1", "--budget", "0", "--", "true"], "--budget"),
    ]:
        expect(said in compare(folder, *arguments, status=2).stderr, f"{arguments}: not told: {said}")


def intervals_are_students():
    expect(intervals.half_width([1.0]) == math.inf, "of one value")
    expect(abs(intervals.half_width([9, 10, 11]) - 4.303 / math.sqrt(3)) < 1e-9, "of three")
    expect(intervals.runs_needed([10, 10, 10], 0.02, 3) == 3 and intervals.runs_needed([], 0.02, 3) == 3, "least")
    many = intervals.runs_needed([9, 10, 11], 0.02, 3)
    expect(96 <= many <= 99, f"{many} runs for 2% at a deviation of 10%")


def a_chart_is_the_middle_pass_of_the_longest_loop(_folder=None):
    def span(loop, number, ts):
        told = {"loop": loop, "pass": number}
        return {"ph": "X", "cat": "batch", "name": "batch", "pid": 1, "tid": 0, "ts": ts, "dur": 5, "args": told}
    events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "CU 0"}}, span(0, 0, 0)]
    events += [span(1, number, 10 + 10 * number) for number in range(3)]
    events.append({"ph": "X", "cat": "wait", "name": "wait", "pid": 1, "tid": 0, "ts": 23, "dur": 9})
    chart = gantt.middle_pass(events)
    expect((chart.number, chart.begin, chart.end) == (1, 20, 25), f"{chart}")
    expect([(s.kind, s.begin, s.end) for s in chart.tracks[0][1]] == [("tasks", 20, 25), ("waiting", 23, 25)], f"{chart.tracks}")
    expect(gantt.middle_pass([]) is None, "no events")


for test in (schedules_are_measured_by_turns, a_wide_interval_takes_more_runs_until_the_time_is_over,
             a_failing_run_is_told_and_the_others_go_on, virtual_machines_have_regret_idle_and_bytes, orders_of_passes_are_not_mixed,
             wrong_usage_is_refused):
    with tempfile.TemporaryDirectory() as scratch:
        test(pathlib.Path(scratch))
intervals_are_students()
a_chart_is_the_middle_pass_of_the_longest_loop()
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
