#!/usr/bin/env python3
"""yoke compare at its ends: figures that are none, programs that do not end, and where Python is not as expected.

compare_ends.py YOKE PROJECT
"""
import contextlib
import io
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile

YOKE, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
MACHINE = str(PROJECT / "docs/examples/machines/epyc-2-mi50-sp.json")
sys.path.insert(0, str(PROJECT / "tools/compare"))
import drawing  # noqa: E402
import intervals  # noqa: E402
import tables  # noqa: E402

HAS_PLOTS = subprocess.run([sys.executable, "-I", "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0
ONE = ["--cus", "1x1", "--schedule", "static"]
ACCEPTED = "a number from 1e-200 to 1e+200"
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def called(folder, *arguments):
    return [YOKE, "compare", "--out", str(folder / "out"), *arguments]


def compare(folder, *arguments, status=0, **more):
    done = subprocess.run(called(folder, *arguments), capture_output=True, text=True, timeout=120, check=False, **more)
    expect(done.returncode == status and "Traceback" not in done.stderr,
           f"{arguments}: status {done.returncode}, {done.stdout}{done.stderr}")
    return done


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def cells_of(folder):
    return json.loads((folder / "out/compare.json").read_text(encoding="utf-8"), parse_constant=no_constant)["cells"]


def printing(text):
    return ["--rate", "rate = (\\S+)", "--", "sh", "-c", f"echo rate = {text}"]


def rates_that_are_none_are_failures_with_what_is_accepted(folder):
    for text in ("0", "-1", "nan", "inf", "-inf", "1e999", "1e-320", "1e308"):
        compare(folder, *ONE, *printing(text), status=1)
        told = cells_of(folder)[0]["failure"]
        expect(told == f"the rate is {float(text)!r}; {ACCEPTED}", f"{text}: {told}")
    compare(folder, *ONE, *printing("fast"), status=1)
    expect(cells_of(folder)[0]["failure"] == "'fast' is no number", "fast")


def rates_at_both_ends_are_compared(folder):
    program = ["--rate", "rate = (\\S+)", "--", "sh", "-c", "echo rate = $([ $YOKE_SCHEDULE = static ] && echo 1e-200 || echo 1e200)"]
    compare(folder, *ONE, "--schedule", "dynamic", *program)
    expect([cell["runs"][0]["rate"] for cell in cells_of(folder)] == [1e-200, 1e200], "both ends")
    expect(intervals.relative([1e200, 1e200, 2e200]) > 0.5, "an interval at the upper end")
    expect(intervals.relative([1e-200, 1e-200, 2e-200]) > 0.5, "an interval at the lower end")
    rows = tables.rows_of([{"program": "p", "cus": "1x1", "schedule": s, "failure": None, "runs": [{"rate": rate}]}
                           for s, rate in (("static", 1e-200), ("dynamic", 1e200))])
    expect([row["speedup"] for row in rows] == [1.0, None], f"{rows}")


def runs_of_npb_with_figures_that_are_none_are_failures(folder):
    good = {"mops": 5, "seconds": 2, "units": [{"kind": "cpu", "idle_s": 0.5, "exchange_s": 0.25}]}
    (folder / "write.sh").write_text('cp "$0.json" "$2"', encoding="utf-8")
    program = ["--", "sh", str(folder / "write.sh")]
    for changes, said in [
        ({"seconds": 0}, f"seconds is 0; {ACCEPTED}"),
        ({"seconds": [1]}, f"seconds is [1]; {ACCEPTED}"),
        ({"mops": float("nan")}, f"mops is nan; {ACCEPTED}"),
        ({"mops": None}, f"mops is None; {ACCEPTED}"),
        ({"units": []}, "no units"),
        ({"units": 3}, "no JSON of NPB-MZ"),
        ({"units": [{"kind": "cpu", "idle_s": float("nan"), "exchange_s": 0}]}, "idle_s is nan; 0, or "),
        ({"units": [{"kind": "cpu", "idle_s": 0, "exchange_s": "1"}]}, "exchange_s is '1'; 0, or "),
    ]:
        (folder / "write.sh.json").write_text(json.dumps(good | changes), encoding="utf-8")
        compare(folder, *ONE, *program, status=1)
        expect(said in cells_of(folder)[0]["failure"], f"{changes}: {cells_of(folder)[0]['failure']}")
    (folder / "write.sh.json").write_text("[1]", encoding="utf-8")
    compare(folder, *ONE, *program, status=1)
    (folder / "write.sh.json").write_text(json.dumps(good), encoding="utf-8")
    compare(folder, *ONE, *program)
    expect(cells_of(folder)[0]["runs"][0]["idle"] == [0.25], f"{cells_of(folder)}")


def runs_of_older_files_without_a_rate_are_left_out(folder):
    compare(folder, *ONE, *printing("5"))
    path = folder / "out/compare.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"rate": 5.0', '"rate": NaN'), encoding="utf-8")
    done = compare(folder, *ONE, *printing("5"))
    expect("3 runs of sh -c" in done.stderr and "are left out" in done.stderr, done.stderr)
    expect([run["rate"] for run in cells_of(folder)[0]["runs"]] == [5, 5, 5], f"{cells_of(folder)}")
    path.write_text('{"schema": "yoke-compare/1", "settings": {}, "cells": [3]}', encoding="utf-8")
    expect("its cells are damaged" in compare(folder, *ONE, *printing("5"), status=2).stderr, "damaged cells")


def leaves_a_child(folder):
    """A program with a child; both hold a pipe, of which this is the other end: it ends when they have."""
    os.mkfifo(folder / "pipe")
    there = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    return there, ["--rate", "x(.)", "--", "sh", "-c", f"exec 3>{folder}/pipe; echo begun >&3; sleep 300 & sleep 300"]


def read_to_its_end(there):
    """What they wrote; None where somebody is still there."""
    text = b""
    while select.select([there], [], [], 30)[0]:
        more = os.read(there, 100)
        text += more
        if not more:
            return text.decode()
    return None


def children_end_with_a_program_that_has_no_time_left(folder):
    there, program = leaves_a_child(folder)
    compare(folder, *ONE, "--budget", "1", *program, status=1)
    expect("was ended after 1 s" in cells_of(folder)[0]["failure"], f"{cells_of(folder)}")
    expect(read_to_its_end(there) == "begun\n", "a child of a program that was ended lives on")
    os.close(there)


def children_end_with_a_program_that_ends(folder):
    there, program = leaves_a_child(folder)
    program[-1] = program[-1].replace("& sleep 300", "& echo x1")
    compare(folder, *ONE, *program)
    # Where somebody can draw, there is one run more, for a picture of a pass.
    expect(read_to_its_end(there) in (3 * "begun\n", 4 * "begun\n"), "a child of a program that has ended lives on")
    os.close(there)


def children_end_where_the_command_is_stopped(folder):
    for number in (signal.SIGINT, signal.SIGTERM):
        there, program = leaves_a_child(folder)
        with subprocess.Popen(called(folder, *ONE, *program), stderr=subprocess.PIPE, text=True) as running:
            select.select([there], [], [], 60)
            running.send_signal(number)
            told = running.communicate(timeout=60)[1]
        expect(running.returncode == 1 and "stopped; the same command goes on" in told, f"{number}: {running.returncode}, {told}")
        expect(read_to_its_end(there) == "begun\n", f"{number}: a child lives on")
        os.close(there)
        (folder / "pipe").unlink()


def children_end_where_the_command_is_stopped_while_one_starts(folder):
    for _ in range(10):
        there, program = leaves_a_child(folder)
        program[-1] = program[-1].replace("sleep 300 &", "kill -INT $PPID; sleep 300 &")
        with subprocess.Popen(called(folder, *ONE, *program), stderr=subprocess.PIPE, text=True) as running:
            told = running.communicate(timeout=60)[1]
        expect(running.returncode == 1 and "stopped; the same command goes on" in told and "Exception" not in told,
               f"{running.returncode}, {told}")
        expect(read_to_its_end(there) == "begun\n", "a child lives on")
        os.close(there)
        (folder / "pipe").unlink()


def each_run_reads_the_same(folder):
    compare(folder, *ONE, "--rate", "rate = (.*)", "--", "sh", "-c", "read x; echo rate = ${x:-7}", input="3\n")
    expect([run["rate"] for run in cells_of(folder)[0]["runs"]] == [7, 7, 7], f"{cells_of(folder)}")


def nothing_around_changes_what_python_is(folder):
    (folder / "json.py").write_text("raise ImportError('a foreign json')", encoding="utf-8")
    (folder / "tables.py").write_text("raise ImportError('foreign tables')", encoding="utf-8")
    for more in ({"PYTHONSAFEPATH": "1"}, {"PYTHONHOME": "/nowhere"}, {"PYTHONPATH": str(folder)}, {"PYTHONOPTIMIZE": "2"}, {}):
        compare(folder, *ONE, *printing("5"), env=os.environ | more, cwd=folder)


def plots_are_drawn_by_whoever_can(folder):
    """The first python3 has no matplotlib; where this one has none either, one behind it draws."""
    bare, other, out = folder / "bare", folder / "other", folder / "out"
    without = "import runpy, sys; sys.modules['matplotlib'] = None; sys.argv = sys.argv[3:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    for place, text in ((bare, f'exec {sys.executable} -I -B -c "{without}" "$@"'),
                        (other, f'cat > /dev/null; [ "$4" = try ] && echo true && exit; echo "<svg/>" > {out}/speedup-1.svg; '
                                f'echo \'[["Speedup", "{out}/speedup-1.svg"]]\'')):
        place.mkdir()
        (place / "python3").write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (place / "python3").chmod(0o755)
    done = compare(folder, "--machine", MACHINE, "--class", "SP:W", "--cus", "4x1",
                   env=os.environ | {"PATH": f"{bare}:{other}:{os.environ['PATH']}"})
    expect(f"yoke compare: plots by {sys.executable if HAS_PLOTS else other / 'python3'}; " in done.stderr, done.stderr)
    expect("data:image/svg" in (out / "index.html").read_text(encoding="utf-8") and (out / "speedup-1.svg").exists(), "plots")


def without_matplotlib_there_is_a_hint(_folder):
    sys.modules["plots"], drawing.interpreters = None, lambda: ["/nowhere/python3", "/bin/false"]
    with contextlib.redirect_stderr(io.StringIO()) as told:
        expect(drawing.who_draws() is None, "drawn by nobody")
    expect("no plots: " in told.getvalue() and "`apt install python3-matplotlib`" in told.getvalue(), told.getvalue())


for test in (rates_that_are_none_are_failures_with_what_is_accepted, rates_at_both_ends_are_compared,
             runs_of_npb_with_figures_that_are_none_are_failures, runs_of_older_files_without_a_rate_are_left_out,
             children_end_with_a_program_that_has_no_time_left, children_end_with_a_program_that_ends,
             children_end_where_the_command_is_stopped, children_end_where_the_command_is_stopped_while_one_starts,
             each_run_reads_the_same, nothing_around_changes_what_python_is, plots_are_drawn_by_whoever_can,
             without_matplotlib_there_is_a_hint):
    with tempfile.TemporaryDirectory() as scratch:
        test(pathlib.Path(scratch))
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
