#!/usr/bin/env python3
"""The trace of SP-MZ keeps Perfetto's rules: spans of a track nest or are disjoint; and it shows every task of every
pass once, with its arguments, kernels by their names, and what the CUs wait for each other.

trace.py SP-MZ
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

RUNS = [("1x1+1", "static", []), ("1x1+1", "static", ["--exchange", "barrier"]), ("2x1", "cost", []),
        ("1x2+1", "dynamic,chunk=2", []), ("+1", "memorizing", ["--no-graph"]), ("1x1+2", "pool", ["--solo"])]
ZONES = range(4)


class trace:
    """Spans with their times in nanoseconds, by the names of their tracks."""

    def __init__(self, text):
        events = json.loads(text)["traceEvents"]
        names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.tracks = {name: [] for name in names.values()}
        assert len(self.tracks) == len(names), f"two tracks have one name: {names}"
        for e in events:
            if e["ph"] == "X":
                begin = round(e["ts"] * 1000)
                self.tracks[names[e["tid"]]].append((begin, begin + round(e["dur"] * 1000), e))

    def spans(self, *categories, track=""):
        return [e for name, spans in self.tracks.items() if name.startswith(track)
                for _, _, e in spans if e["cat"] in categories]


def spans_of_a_track_nest_or_are_disjoint(found):
    for name, spans in found.tracks.items():
        open_until = []
        for begin, end, e in sorted(spans, key=lambda s: (s[0], -s[1])):
            while open_until and open_until[-1] <= begin:
                open_until.pop()
            assert not open_until or end <= open_until[-1], f"{name}: {e} lies across the span that it begins in"
            open_until.append(end)


def every_pass_has_each_task_once(found):
    passes = collections.defaultdict(list)
    for e in found.spans("task", "apportioned"):
        passes[e["args"]["loop"], e["args"]["pass"]].append(e["args"]["task"])
        assert e["args"]["weight"] == 400, e  # interior points of a zone: 10 x 10 x 4
    assert passes
    for which, tasks in passes.items():
        assert sorted(tasks) == list(ZONES), f"loop and pass {which}: tasks {tasks}"


def a_batch_has_the_weight_of_its_shares(found):
    for e in found.spans("batch"):
        assert e["args"]["weight"] == 400 * e["args"]["tasks"], e
    shares = [e for e in found.spans("apportioned")]
    assert len(shares) == sum(e["args"]["tasks"] for e in found.spans("batch"))
    assert all("shares of batches" in name for name, spans in found.tracks.items()
               for _, _, e in spans if e["cat"] == "apportioned")


def every_cu_shows_what_it_waits_for_in_a_run(found, units):
    runs = {u: sum(e["name"] == "wait for the other CUs" for e in found.spans("wait", track=f"CU {u} ("))
            for u in range(units)}
    assert runs[0] > 0 and len(set(runs.values())) == 1, runs


def kernels_of_emulated_devices_are_shown_by_name(found, devices):
    for d in range(devices):
        names = {e["name"] for e in found.spans("kernel", track=f"kernels on emulated:{d}")}
        assert {"sp: planes", "sp: z_solve", "unpack faces"} <= names, names


def a_cu_of_one_cpu_shows_its_steps(found, units):
    """Of those that got zones: where something else runs, `cost` may leave a CU without."""
    for u in range(units):
        if not found.spans("batch", track=f"CU {u} ("):
            continue
        names = {e["name"] for e in found.spans("advance", "exchange", track=f"CU {u} (")}
        assert names == {"advance", "exchange"}, (u, names)


def check(found, cus):
    cpus, _, gpus = cus.partition("+")
    gpus = int(gpus or 0)
    units = int(cpus.partition("x")[0] or 0) + gpus
    assert sum("(" in name and name.startswith("CU ") for name in found.tracks) == units, list(found.tracks)
    spans_of_a_track_nest_or_are_disjoint(found)
    every_pass_has_each_task_once(found)
    a_batch_has_the_weight_of_its_shares(found)
    every_cu_shows_what_it_waits_for_in_a_run(found, units)
    kernels_of_emulated_devices_are_shown_by_name(found, gpus)
    if "x2" not in cus:
        a_cu_of_one_cpu_shows_its_steps(found, units)


def run(program, path, cus, schedule, others):
    gpus = cus.partition("+")[2]
    environment = without_settings()
    done = subprocess.run([program, "--class", "S", "--steps", "12", "--quiet", "--cus", cus, "--devices",
                           f"emulated:{gpus}" if gpus else "none", "--schedule", schedule, "--trace", path, *others],
                          capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    with open(path, encoding="utf-8") as file:
        return trace(file.read())


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for cus, schedule, others in RUNS:
            try:
                check(run(sys.argv[1], os.path.join(folder, "trace.json"), cus, schedule, others), cus)
            except (AssertionError, KeyError) as broken:
                failures += 1
                print(f"{cus} {schedule} {' '.join(others)}: {broken!r}")
    print(f"{len(RUNS) - failures} of {len(RUNS)} traces keep the rules")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
