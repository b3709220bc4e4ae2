#!/usr/bin/env python3
"""Runs the commands of the tutorial, as they stand there, and holds its figures.

tutorial.py PROJECT BIN PLUGIN
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT, BIN, PLUGIN = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
TEXT = (PROJECT / "docs/guide/your-schedule.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("yoke")]


def run(command, folder):
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def regrets(text):
    return {line.split()[0].split(":")[-1]: float(line.split()[2][:-1]) for line in text.splitlines() if re.search(r"\d% ", line)}


with tempfile.TemporaryDirectory() as scratch:
    there = pathlib.Path(scratch)
    (there / "docs").symlink_to(PROJECT / "docs")
    (there / PLUGIN.name).symlink_to(PLUGIN)
    said = [run(command, there) for command in COMMANDS]
    assert len(said) == 5, COMMANDS
    on_cpus, beside_gpus = regrets(said[1]), regrets(said[2])
    assert on_cpus["weighted-factoring"] < 2 and on_cpus["dynamic"] > 10, on_cpus
    assert beside_gpus["weighted-factoring"] > 25 and beside_gpus["auto"] < 5, beside_gpus
    for name, n_rows in (("simulated", 12), ("measured", 2)):
        with open(there / name / "compare.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == n_rows and all(float(row["rate"]) > 0 for row in rows), rows
        assert (there / name / "index.html").exists(), name
print(f"{len(COMMANDS)} commands of the tutorial hold")
