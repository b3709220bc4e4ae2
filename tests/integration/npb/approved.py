#!/usr/bin/env python3
"""What SP-MZ prints and traces, compared with approved texts: the report with its table of CUs, why, and the trace.

approved.py SP-MZ            what differs from approved/*.txt, if anything
APPROVE=1 approved.py SP-MZ  approves what it prints now

Times, rates and numbers of CPUs stand as # in the texts.
"""
import collections
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

APPROVED = pathlib.Path(__file__).resolve().parent / "approved"
PROGRAM = ["--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--schedule", "static"]
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
# Lines whose numbers are times or rates, and what of them: everything behind the match of the first group.
TIMES = re.compile(r"^( (?:Time in seconds|Mop/s total|Set-up seconds) +=| Balance:| Hybrid efficiency"
                   r"|  PCF measured:|  Deciding took|  Alone, in steps a second:)(.*)$")
UNIT_ROW = re.compile(r"^( +\d+  [cg]pu .*%)(.*)$")
# Which CU needed most, and so what would help, is a matter of time.
BOUND = re.compile(r"(step is bound by) CU \d+ \(.*?\), busy \S+% of the time|(What would help:) .*")
WHY_ROW = re.compile(r"^(  CU \d+ \(.*\): \S+ zones a step)(.*)(, \d+ migrations.*)$")

# How often these are needed depends on whose face is there first.
TIMELY = ("advance:", "exchange:")


def run(program, *arguments):
    environment = without_settings()
    done = subprocess.run([program, *PROGRAM, *arguments], capture_output=True, text=True, env=environment, timeout=300,
                          check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def without_times(line):
    """Numbers as #, as wide as they and the spaces before them were."""
    line = BOUND.sub(lambda m: f"{m[1] or m[2]} #", line)
    for pattern in (TIMES, UNIT_ROW, WHY_ROW):
        if found := pattern.match(line):
            kept, times, *rest = found.groups()
            wide = r"(?:  +)?" + NUMBER
            return kept + re.sub(wide, lambda m: "#".rjust(len(m[0]) if m[0][0] == " " else 1), times) + "".join(rest)
    return line


def without_cpus(text):
    return re.sub(r"\{[\d,]+\}( *)", lambda m: "{#}" + " " * (len(m[1]) + len(m[0].rstrip()) - 3 if m[1] else 0), text)


def report(program):
    lines = run(program, "--explain", "--solo").splitlines()
    return "".join(without_times(without_cpus(line)) + "\n" for line in lines if not line.startswith(" Note:"))


def trace(program):
    """Each track with its spans: how many of a category, a name and arguments. Waiting for faces may not be needed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        run(program, "--steps", "4", "--quiet", "--trace", path)
        events = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["traceEvents"]
    names = {e["tid"]: without_cpus(e["args"]["name"]) for e in events if e["name"] == "thread_name"}
    spans = {name: collections.Counter() for name in names.values()}
    for e in events:
        if e["ph"] == "X" and (e["cat"], e["name"]) != ("wait", "wait"):
            track = re.sub(r" \(\d+\)$", "", names[e["tid"]])  # kernels side by side, or not
            arguments = json.dumps({key: "#" if key in ("loop", "pass") else a for key, a in e["args"].items()})
            spans[track][f"{e['cat']}: {e['name']} {arguments}"] += 1

    def line(span, n):
        return f"  {'#' if span.startswith(TIMELY) else n:>3} {span}\n"

    return "".join(f"{track}\n" + "".join(line(span, n) for span, n in sorted(counts.items()))
                   for track, counts in spans.items() if not re.search(r" \(\d+\)$", track))


def main():
    different = 0
    for name, text in (("report.txt", report(sys.argv[1])), ("trace.txt", trace(sys.argv[1]))):
        path = APPROVED / name
        if os.environ.get("APPROVE"):
            path.write_text(text, encoding="utf-8")
            print(f"approved {path}")
            continue
        approved = path.read_text(encoding="utf-8") if path.exists() else ""
        diff = list(difflib.unified_diff(approved.splitlines(), text.splitlines(), f"approved/{name}", "found", lineterm=""))
        if diff:
            different += 1
            print("\n".join(diff) + f"\nIf that is meant: APPROVE=1 {' '.join(sys.argv)}")
    print(f"{different} of 2 texts differ from what was approved")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
