#!/usr/bin/env python3
"""Which sources clang-tidy reads where there is no time for all, one path a line: other ones each day.

    scripts/tidy_files.py part BUILD       every eighth, and those of the last day's changes, at most 30
    scripts/tidy_files.py names BUILD      as many others as it takes to have every header read once

BUILD/compile_commands.json says which sources there are. A changed header stands for a source that includes it, itself or
through other headers.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from boundaries.source import Source, included, list_files, public_headers, read

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LATE = 30


class Includes:
    """Which headers of the repository a source reaches."""

    def __init__(self, sources):
        paths = {source.path for source in sources}
        headers = public_headers(sorted(paths))
        by_name = {}
        for path in sorted(paths):
            parts = path.split("/")
            for begin in range(1, len(parts)):
                by_name.setdefault("/".join(parts[begin:]), path)
        self.direct = {source.path: self._direct(source, headers, paths, by_name) for source in sources}
        self.known = {}

    @staticmethod
    def _direct(source, headers, paths, by_name):
        beside = {name: target for _, name, target in included(source, headers, paths)}
        found = (beside.get(name) or by_name.get(name) for _, _, name in source.includes)
        return {target for target in found if target}

    def reached(self, path):
        if path not in self.known:
            found, left = set(), [path]
            while left:
                new = self.direct.get(left.pop(), set()) - found
                found |= new
                left.extend(new)
            self.known[path] = found
        return self.known[path]


def every(n, sources, day):
    return {source for i, source in enumerate(sources) if i % n == day % n}


def of_changes(changed, sources, includes):
    """Changed sources, and for a changed header the source that reads the fewest others beside it; in the order of `changed`."""
    chosen = []
    for path in changed:
        readers = [path] if path in sources else [s for s in sources if path in includes.reached(s)]
        if readers and not set(readers) & set(chosen):
            chosen.append(min(readers, key=lambda s: (len(includes.reached(s)), s)))
    return chosen


def with_every_header(chosen, sources, includes):
    """`chosen`, and sources until all together reach each header that any source reaches."""
    chosen = set(chosen)
    missing = set().union(*map(includes.reached, sources)) - set().union(*map(includes.reached, chosen))
    while missing:
        best = max(sources, key=lambda s: (len(missing & includes.reached(s)), s))
        chosen.add(best)
        missing -= includes.reached(best)
    return chosen


def changed_of_late(root):
    """Files of the last day's commits, the newest first."""
    log = subprocess.run(["git", "-C", root, "log", "--since=1 day ago", "--name-only", "--format="],
                         capture_output=True, text=True, check=True)
    return list(dict.fromkeys(filter(None, log.stdout.split("\n"))))


def select(what, sources, includes, changed, day):
    late = of_changes(changed, sources, includes)
    if len(late) > MOST_LATE:
        print(f"{what}: of {len(late)} sources of late changes the {MOST_LATE} newest", file=sys.stderr)
    part = every(8, sources, day) | set(late[:MOST_LATE])
    return part if what == "part" else with_every_header(part, sources, includes) - part


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["part", "names"])
    parser.add_argument("build")
    asked = parser.parse_args()
    files = json.loads(pathlib.Path(asked.build, "compile_commands.json").read_text(encoding="utf-8"))
    code = [Source(path, read(ROOT, path)) for path in list_files(ROOT)]
    includes = Includes([source for source in code if source.is_code()])
    compiled = {pathlib.Path(entry["file"]).relative_to(ROOT).as_posix() for entry in files}
    sources = sorted(compiled & set(includes.direct))
    for path in sorted(select(asked.what, sources, includes, changed_of_late(ROOT), int(time.time()) // 86400)):
        print(ROOT / path)


if __name__ == "__main__":
    main()
