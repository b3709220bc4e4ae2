#!/usr/bin/env python3
"""Times how long a program takes to start beside an OpenMP program that does nothing.

    scripts/start_up.py PROGRAM [ARGUMENT...]     medians and minima of 50 runs of each
    scripts/start_up.py --json FILE PROGRAM       also every sample, with its record
    scripts/start_up.py --most MS PROGRAM         exit status 1 where the median is further than that above the empty program's
    scripts/start_up.py --beside OTHER PROGRAM    OTHER in place of the empty program: one that only calls cudaFree(0), say

Runs of both take turns, so that what else the machine does falls on both. The empty program has one parallel region of as many threads
as OMP_NUM_THREADS says, and is made by clang++-19. Settings come from the environment: YOKE_CUS=2x1, say.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import record

EMPTY = """int main() {
#pragma omp parallel
  { asm volatile(""); }
}
"""


def empty_program(folder):
    source = pathlib.Path(folder, "empty.cpp")
    source.write_text(EMPTY, encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run(["clang++-19", "-O2", "-fopenmp", str(source), "-o", str(program)], check=True)
    return str(program)


def seconds_of(command):
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def measure(command, empty, runs):
    """Seconds of each pair of runs, after one of each that is not counted."""
    seconds_of(command), seconds_of([empty])
    return [(seconds_of(command), seconds_of([empty])) for _ in range(runs)]


def summary(pairs):
    own, empty = zip(*pairs)
    return {"median_s": statistics.median(own), "least_s": min(own),
            "empty_median_s": statistics.median(empty), "empty_least_s": min(empty),
            "over_empty_s": statistics.median(a - b for a, b in pairs)}


def text_of(found):
    def ms(name):
        return f"{1e3 * found[name]:.1f}"

    return (f"program: median {ms('median_s')} ms, least {ms('least_s')} ms\n"
            f"empty:   median {ms('empty_median_s')} ms, least {ms('empty_least_s')} ms\n"
            f"over the empty program: {ms('over_empty_s')} ms, median of {len(found['pairs_s'])} pairs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--most", type=float, metavar="MS")
    parser.add_argument("--beside", metavar="OTHER")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command or options.runs < 1:
        parser.error("a program, and one run or more")
    found = {"record": record.of_script()}
    try:
        with tempfile.TemporaryDirectory() as folder:
            pairs = measure(options.command, options.beside or empty_program(folder), options.runs)
    except (OSError, subprocess.CalledProcessError) as problem:
        sys.exit(f"start_up.py: {problem}")
    found |= {"program": options.command, "beside": options.beside or "an empty program", **summary(pairs), "pairs_s": pairs}
    print(text_of(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if options.most is not None and 1e3 * found["over_empty_s"] > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
