#!/usr/bin/env python3
"""Makes docs/results.md with its plots, and picture and figures of README.md, from the JSON in docs/results.

    scripts/results.py            writes them anew
    scripts/results.py --check    exit 1 where a text differs from what the data say, with the lines

Prose stands in docs/results/*.md.in; {{name words…}} there is replaced by what `name` in scripts/figures makes of
the data. In README.md, what stands between the two marks is made.
"""

import argparse
import difflib
import pathlib
import re
import sys

import figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- figures: made by scripts/results.py -->", "<!-- end of figures -->"
PLACE = re.compile(r"\{\{([^{}]*)\}\}")


def fail(message):
    sys.exit(f"results.py: {message}")


def fill(path, data):
    """The template with its places filled."""
    def value(place):
        words = place[1].split()
        if not words or words[0] not in figures.FIGURES:
            fail(f"{path}: {place[0]}: no such figure; there are {', '.join(sorted(figures.FIGURES))}")
        try:
            return figures.FIGURES[words[0]](data, *words[1:])
        except figures.Unlike as problem:
            fail(f"{path}: {place[0]}: {problem}")
        except (KeyError, IndexError, FileNotFoundError) as problem:
            fail(f"{path}: {place[0]}: the data lack {problem}")
        return None

    return PLACE.sub(value, path.read_text(encoding="utf-8"))


def into_readme(path, block):
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        fail(f"{path}: wanted the lines '{BEGIN}' and '{END}', once each")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{block.strip()}\n{END}{rest.split(END)[1]}"


def wanted(root):
    """Path -> text of all that is made."""
    data = figures.Data(root / "docs/results")
    texts = {root / "docs/results.md": fill(root / "docs/results/results.md.in", data),
             root / "docs/results/class-D.svg": figures.plot_of_class_d(data),
             root / "docs/results/loops-by-hand.svg": figures.plot_of_loops_by_hand(data),
             root / "docs/yoke.svg": figures.picture(),
             root / "README.md": into_readme(root / "README.md", fill(root / "docs/results/readme.md.in", data))}
    if unused := data.unused():
        fail(f"docs/results: no figure is made from {', '.join(unused)}; show it, or give it \"shown\": false in about.json")
    if shown := data.shown_though_hidden():
        fail(f"docs/results: about.json says that {', '.join(shown)} is not shown, and a figure is made from it")
    if unknown := figures.without_commit(data):
        fail(f"docs/results: {', '.join(unknown)} says no commit, neither itself nor in about.json")
    return texts


def differences(root):
    for path, text in wanted(root).items():
        found = path.read_text(encoding="utf-8") if path.exists() else ""
        name = str(path.relative_to(root))
        yield from difflib.unified_diff(found.splitlines(), text.splitlines(), name, f"{name} by the data", lineterm="", n=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    asked = parser.parse_args()
    if not asked.check:
        for path, text in wanted(asked.root).items():
            path.write_text(text, encoding="utf-8")
        return 0
    found = list(differences(asked.root))
    for line in found:
        print(line)
    if found:
        print("scripts/results.py puts that right where the data are; where the text is, change its template")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
