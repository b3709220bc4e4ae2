"""What was measured, in one file that is result and state."""
import json
import os
import pathlib
import platform
import sys

import amounts

import texts

SCHEMA = "yoke-compare/1"
# A file goes on only where these are the same.
FIXED = ("devices", "rate", "machine", "order")
OF_OLDER_FILES = {"order": "barrier"}  # what files of before there were others had


class UsageError(Exception):
    pass


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    except OSError:
        return platform.machine()


def host():
    return {"cpu": cpu_name(), "cpus": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0], "system": platform.platform()}


class Store:
    def __init__(self, options):
        self.path = pathlib.Path(options["out"]) / "compare.json"
        settings = {key: texts.valid(options[key]) for key in FIXED}
        self.content = self._read(settings) or {"schema": SCHEMA, "settings": settings, "host": host(), "cells": []}
        self.content["settings"]["accuracy"] = options["accuracy"]
        self._add(options)
        self.save()

    def _read(self, settings):
        if not self.path.exists():
            return None
        try:
            # Earlier versions wrote NaN and Infinity, which are no JSON.
            found = json.loads(self.path.read_text(encoding="utf-8"), parse_constant=lambda _: None)
        except json.JSONDecodeError as problem:
            raise UsageError(f"{self.path}: no JSON ({problem}); take another --out") from problem
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise UsageError(f"{self.path}: is no {SCHEMA}; take another --out")
        try:
            for cell in found["cells"]:
                self._leave_out_no_rates(cell)
        except (KeyError, TypeError) as problem:
            raise UsageError(f"{self.path}: its cells are damaged ({problem!r}); take another --out") from problem
        for key in FIXED:
            was = found["settings"].setdefault(key, OF_OLDER_FILES.get(key))
            if was != settings[key]:
                raise UsageError(f"{self.path}: was measured with --{key} {was!r}, not {settings[key]!r}; "
                                 "take another --out")
        return found

    def _leave_out_no_rates(self, cell):
        """Runs of earlier versions, which took any number for a rate."""
        runs = [run for run in cell["runs"] if amounts.is_amount(run["rate"]) and amounts.is_amount(run["wall_s"], zero=True)]
        if len(runs) < len(cell["runs"]):
            print(f"yoke compare: {self.path}: {len(cell['runs']) - len(runs)} runs of {cell['program']} are left out: a rate is "
                  f"{amounts.ACCEPTED}", file=sys.stderr)
        cell["runs"] = runs

    def _add(self, options):
        """What is asked for now, in this order; what else was measured stays in the file, behind it."""
        known = {(c["program"], c["cus"], c["schedule"]): c for c in self.content["cells"]}
        asked = []
        for program in options["programs"]:
            for cus in options["cus"] or [""]:
                for schedule in options["schedules"] or ["auto"]:
                    new = {"program": program, "cus": cus, "schedule": schedule, "runs": [], "failure": None}
                    cell = known.pop((program, cus, schedule), new)
                    cell["failure"] = None
                    asked.append(cell)
        self.cells = asked
        self.content["cells"] = asked + list(known.values())

    def text(self):
        return json.dumps(self.content, indent=1, allow_nan=False) + "\n"

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".json.new")
        draft.write_text(self.text(), encoding="utf-8")
        draft.replace(self.path)
