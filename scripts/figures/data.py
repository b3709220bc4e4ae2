"""The committed data, and how their numbers are divided and look."""

import collections
import json
import math
import pathlib
import statistics

FIGURES = {}
FOLDER = "2026-11-21/"  # of figures that nothing later replaces
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

    def is_hidden(self, name):
        """Whether about.json says that the file is kept and not shown."""
        return self.about.get(name, {}).get("shown") is False

    def unused(self):
        return [name for name in self.names("*/*") if name not in self.asked and not self.is_hidden(name)]

    def shown_though_hidden(self):
        return [name for name in self.asked if self.is_hidden(name)]


MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def day(name):
    """Of a file in the folder of a day."""
    _, month, number = name.split("/")[0].split("-")
    return f"{int(number)} {MONTHS[int(month) - 1]}"


def days(names):
    return ", ".join(dict.fromkeys(day(name) for name in sorted(names)))


Measured = collections.namedtuple("Measured", "benchmark letter mops")


def over(a, b):
    """The ratio of two rates."""
    if (a.benchmark, a.letter) != (b.benchmark, b.letter):
        raise Unlike(f"{a.benchmark} class {a.letter} over {b.benchmark} class {b.letter}: not the same work")
    return a.mops / b.mops


def option(command, name):
    words = command.split()
    return words[words.index(name) + 1]


def spaced(number):
    return f"{number:,.0f}".replace(",", " ")


def rate(mops):
    """In Gop/s, four digits; no run is exacter."""
    gops = mops / 1e3
    return f"{gops:.{max(0, 3 - math.floor(math.log10(gops)))}f}"


def ranged(values, form="{:.3f}"):
    """Median, and least and largest where there are several; nothing of nothing."""
    if not values:
        return ""
    middle = form.format(statistics.median(values))
    dash = "–" if min(values) >= 0 else " to "
    return middle if len(values) == 1 else f"{middle} ({form.format(min(values))}{dash}{form.format(max(values))})"


def table(head, rows):
    def line(cells):
        return "| " + " | ".join(str(cell) for cell in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])
