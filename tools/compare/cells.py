"""Running one schedule on one configuration: of a program on this machine, or in virtual time on another."""
import json
import os
import pathlib
import re
import shlex
import tempfile

import amounts
from calls import Failure, OutOfTime, called

import texts


class UsageError(Exception):
    pass


def amount(name, value, zero=False):
    """The value, where it is one."""
    if amounts.is_amount(value, zero):
        return value
    raise Failure(f"{name} is {value!r}; {'0, or ' if zero else ''}{amounts.ACCEPTED}")


def idle_of(unit):
    """Clocks of several CPUs may differ by a little."""
    amount("idle_s", abs(unit["idle_s"]), zero=True)
    return max(0.0, unit["idle_s"])


def figures_of_run(found):
    """Of the JSON that NPB-MZ writes. Errors: Failure for a figure that is none, others where it is no such JSON."""
    rate, seconds, units = amount("mops", found["mops"]), amount("seconds", found["seconds"]), found["units"]
    if not units:
        raise ValueError("no units")
    exchange = sum(amount("exchange_s", unit["exchange_s"], zero=True) for unit in units)
    return {"rate": rate,
            "kinds": [str(unit["kind"]) for unit in units],
            "idle": [idle_of(unit) / seconds for unit in units],
            "exchange": exchange / (len(units) * seconds)}


def runner(options):
    return Simulated(options) if options["machine"] else Real(options)


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
            rate = float(found[1])
        except (TypeError, ValueError) as problem:  # None: the group is not in what was found
            raise Failure(f"{found[1]!r} is no number") from problem
        return {"rate": amount("the rate", rate), "wall_s": seconds}

    @staticmethod
    def figures_in_json(path):
        try:
            return figures_of_run(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
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
        return {"rate": amount("the rate", 1 / amount("pass_s", one["pass_s"])),
                "wall_s": seconds,
                "kinds": found["units"],
                "idle": [max(0.0, 1 - busy) for busy in one["busy"]],
                "bytes": one["bytes"],
                "regret": one["regret"]}

    def trace(self, row, path):
        called(self.words(row, 1, "--trace", str(path), "--passes", "10"))
