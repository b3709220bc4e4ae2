#!/usr/bin/env python3
"""yoke-bench-task-size measures every contender at every size, and its plot can be drawn.

task_size.py PROGRAM PLOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, PLOT = sys.argv[1:3]

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "run.json"
    done = subprocess.run([PROGRAM, "--cus", "1x1", "--seconds", "1e-4", "--sizes", "3", "--repetitions", "2", "--json", str(path)],
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    run = json.loads(path.read_text(encoding="utf-8"))
    names = [series["name"] for series in run["series"]]
    assert names[:8] == ["yoke static", "yoke dynamic", "yoke memorizing", "yoke tasks", "yoke tasks, replayed", "libomp static",
                         "libomp dynamic", "libomp tasks"], names
    assert run["record"] and run["cus"] == "1x1"
    for series in run["series"]:
        points = series["points"]
        assert len(points) == 3 and all(len(p["seconds"]) == 2 and p["tasks"] >= 8 for p in points), series
        assert all(abs(b["task_s"] / a["task_s"] - 2) < 1e-9 for a, b in zip(points, points[1:])), series
        for p in points:
            assert abs(p["efficiency"] - p["tasks"] * p["task_s"] / min(p["seconds"])) < 1e-9, p
    drawing = subprocess.run([sys.executable, PLOT, str(path), f"{folder}/run.svg"], capture_output=True, text=True, check=False)
    if "No module named 'matplotlib'" in drawing.stderr:
        print("[skipped] no matplotlib: the plot")
    else:
        assert drawing.returncode == 0 and "libomp tasks" in pathlib.Path(f"{folder}/run.svg").read_text(), drawing.stderr
    wrong = subprocess.run([PROGRAM, "--cus", "1x2"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and ("1x2" in wrong.stderr), wrong.stderr
print("all is right")
