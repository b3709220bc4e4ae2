"""Running one schedule on one configuration: of a program on this machine, or in virtual time on another."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

import texts


class UsageError(Exception):
    pass


class Failure(Exception):
    """A run that gave no figure; the text says why."""


class OutOfTime(Failure):
    """A run that was ended with the time that was given to all."""


def runner(options):
    return Simulated(options) if options["machine"] else Real(options)


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def called(words, environment=None, limit=None):
    """Its output and seconds; it is ended after `limit` seconds."""
    begin = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=limit, check=False, errors="replace")
    except subprocess.TimeoutExpired as problem:
        raise OutOfTime(f"was ended after {limit:.0f} s, when the time of --budget was over") from problem
    if done.returncode != 0:
        raise Failure(f"exit status {done.returncode}: {last_line(done.stderr) or last_line(done.stdout)}")
    return done.stdout + done.stderr, time.monotonic() - begin


class Runner:
    def __init__(self, options):
        self.options = options
        self.limit = None  # seconds of a run

    def run(self, cell, limit):
        self.limit = limit
        try:
            cell["runs"].append(self.figures(cell))
        except OutOfTime as problem:
            if not cell["runs"]:
                cell["failure"] = texts.valid(str(problem))
        except Failure as problem:
            cell["failure"] = texts.valid(str(problem))

    def figures(self, cell):
        raise NotImplementedError

    def best_of_each(self, rows):
        """The row with the highest rate of every program."""
        best = {}
        for row in rows:
            if row["rate"] is not None and row["rate"] > best.get(row["program"], {"rate": 0})["rate"]:
                best[row["program"]] = row
        return best.values()

    def traces(self, rows, folder, known):
        """A trace of the best cell of each program, (row, events); `known` says which file has which, as programs that write
        none need not be run for that again."""
        found = []
        for number, row in enumerate(self.best_of_each(rows), 1):
            wanted = {"cus": row["cus"], "schedule": row["schedule"], "file": f"trace-{number}.json"}
            path = folder / wanted["file"]
            if known.get(row["program"]) not in (wanted, wanted | {"file": None}):
                known[row["program"]] = wanted if self.is_traced(row, path) else wanted | {"file": None}
            if known[row["program"]]["file"] and path.exists():
                found.append((row, json.loads(path.read_text(encoding="utf-8"))["traceEvents"]))
        return found

    def is_traced(self, row, path):
        path.unlink(missing_ok=True)
        try:
            self.trace(row, path)
            return "traceEvents" in json.loads(path.read_text(encoding="utf-8"))
        except (Failure, OSError, ValueError):
            return False

    def trace(self, row, path):
        raise NotImplementedError


class Real(Runner):
    """Under `yoke exec`, so that programs which know nothing of Yoke have their teams too."""

    def __init__(self, options):
        super().__init__(options)
        try:
            self.rate = re.compile(options["rate"]) if options["rate"] else None
        except re.error as problem:
            raise UsageError(f"--rate {options['rate']}: no regular expression: {problem}") from problem
        if self.rate and self.rate.groups < 1:
            raise UsageError(f"--rate {options['rate']}: needs a group around the figure, as 'rate = ([0-9.]+)'")
        self.environment = {"YOKE_PROFILE": "none"} | dict(os.environ)  # a run must not learn from the one before

    def words(self, cell, *more):
        given = [self.options["yoke"], "exec", cell["cus"], "--schedule", texts.raw(cell["schedule"])]
        if self.options["devices"]:
            given += ["--devices", self.options["devices"]]
        return [*given, "--", *shlex.split(texts.raw(cell["program"])), *more]

    def figures(self, cell):
        if self.rate:
            return self.figure_in_text(cell)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            _, seconds = called(self.words(cell, "--json", str(path)), self.environment, self.limit)
            return {"wall_s": seconds} | self.figures_in_json(path)

    def figure_in_text(self, cell):
        text, seconds = called(self.words(cell), self.environment, self.limit)
        found = self.rate.search(text)
        if found is None:
            raise Failure(f"its output has nothing like {self.options['rate']}")
        try:
            return {"rate": float(found[1]), "wall_s": seconds}
        except ValueError as problem:
            raise Failure(f"{found[1]!r} is no number") from problem

    @staticmethod
    def figures_in_json(path):
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            units = found["units"]
            return {"rate": found["mops"],
                    "kinds": [unit["kind"] for unit in units],
                    "idle": [max(0.0, unit["idle_s"]) / found["seconds"] for unit in units],
                    "exchange": sum(unit["exchange_s"] for unit in units) / (len(units) * found["seconds"])}
        except (OSError, ValueError, KeyError) as problem:
            raise Failure(f"it wrote no JSON of NPB-MZ ({problem}); other programs need --rate REGEX") from problem

    def trace(self, row, path):
        called(self.words(row), self.environment | {"YOKE_TRACE": str(path.absolute())})


class Simulated(Runner):
    """With another seed in every run: so noise is what it would be."""

    def words(self, cell, seed, *more):
        kind = "--class" if cell["program"] in self.options["classes"] else "--tasks"
        words = [self.options["yoke"], "simulate", "--machine", texts.raw(self.options["machine"]), kind,
                 texts.raw(cell["program"]), "--schedule", texts.raw(cell["schedule"]), "--order", self.options["order"], "--seed", str(seed), "--json", *more]
        return words + (["--cus", cell["cus"]] if cell["cus"] else [])

    def figures(self, cell):
        text, seconds = called(self.words(cell, 1 + len(cell["runs"])), limit=self.limit)
        found = json.loads(text)
        one = found["schedules"][0]
        return {"rate": 1 / one["pass_s"],
                "wall_s": seconds,
                "kinds": found["units"],
                "idle": [max(0.0, 1 - busy) for busy in one["busy"]],
                "bytes": one["bytes"],
                "regret": one["regret"]}

    def trace(self, row, path):
        called(self.words(row, 1, "--trace", str(path), "--passes", "10"))
