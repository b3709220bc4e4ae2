#!/usr/bin/env python3
"""Predicts real runs of NPB-MZ by `yoke simulate` from one of them, on this machine.

    scripts/predictions.py BIN                     SP, BT and LU, class A, on all CPUs
    scripts/predictions.py BIN --class W --rounds 7 --json FILE

BIN is the folder of the programs. In each round every configuration runs once, by turns with the others, so that what disturbs the
machine hits all alike. Of the runs under --from (default: all CPUs as Cx1, `pool`) the one of median rate is what the machine is
calibrated from (`yoke simulate --calibrate`); all others are predicted and stand beside the median of their rounds. `range` is
how far the rounds of one configuration lie apart: no prediction can be nearer than that.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import record

BENCHMARKS = ("sp", "bt", "lu")


def fail(message):
    sys.exit(f"predictions.py: {message}")


def output_of(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          env={**os.environ, "YOKE_PROFILE": "none"})
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def choices_of(cpus):
    """(configuration, schedule): CUs of one CPU, one CPU alone, one CU of all."""
    many = [(f"{cpus}x1", name) for name in ("static", "dynamic", "memorizing", "pool", "cost", "auto")]
    return [*many, ("1x1", "static"), (f"1x{cpus}", "static")]


def run_once(folder, args, benchmark, choice, number):
    path = folder / f"{benchmark}-{choice[0]}-{choice[1]}-{number}.json"
    output_of([args.bin / f"{benchmark}-mz", "--class", args.letter, "--cus", choice[0], "--schedule", choice[1],
               "--samples", "--quiet", "--json", path])
    return path


def ms_of(path):
    run = json.loads(path.read_text(encoding="utf-8"))
    return 1e3 * run["seconds"] / run["iterations"]


def measured(folder, args, choices):
    """(benchmark, choice) -> the JSON of each round."""
    paths = {}
    for number in range(args.rounds):
        for benchmark in args.benchmarks:
            for choice in choices:
                paths.setdefault((benchmark, choice), []).append(run_once(folder, args, benchmark, choice, number))
    return paths


def predicted_ms(args, machine, tasks, choice):
    told = output_of([args.bin / "yoke", "simulate", "--machine", machine, "--tasks", tasks, "--cus", choice[0],
                      "--schedule", choice[1], "--json"])
    return 1e3 * json.loads(told)["schedules"][0]["pass_s"]


def compare(folder, args, paths, benchmark, source):
    of_source = sorted(paths[benchmark, source], key=ms_of)
    calibrated = of_source[(len(of_source) - 1) // 2]
    machine = folder / f"{benchmark}-machine.json"
    machine.write_text(output_of([args.bin / "yoke", "simulate", "--calibrate", calibrated]), encoding="utf-8")
    rows = []
    for (of, choice), rounds in paths.items():
        if of != benchmark:
            continue
        seen = [ms_of(path) for path in rounds]
        predicted = predicted_ms(args, machine, calibrated, choice)
        rows.append({"benchmark": benchmark, "cus": choice[0], "schedule": choice[1], "ms": seen, "predicted_ms": predicted,
                     "error": predicted / statistics.median(seen) - 1, "is_source": choice == source})
    return json.loads(machine.read_text(encoding="utf-8")), rows


def text_of(row):
    middle = statistics.median(row["ms"])
    spread = 100 * (max(row["ms"]) - min(row["ms"])) / middle
    mark = " (calibrated from)" if row["is_source"] else ""
    return (f"{row['benchmark'].upper()}-MZ  {row['cus']:6} {row['schedule']:10} {middle:9.3f} {spread:6.1f}% "
            f"{row['predicted_ms']:10.3f} {100 * row['error']:+6.1f}%{mark}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--benchmarks", type=lambda text: text.split(","), default=list(BENCHMARKS))
    parser.add_argument("--class", dest="letter", default="A")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--from", dest="source", metavar="CUS,SCHEDULE", help="what to calibrate from")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    if args.rounds < 1:
        fail(f"--rounds {args.rounds}: wanted at least 1")
    for name in args.benchmarks:
        if name not in BENCHMARKS:
            fail(f"--benchmarks: {name}: wanted some of {', '.join(BENCHMARKS)}")
    if not (args.bin / "yoke").is_file():
        fail(f"{args.bin}: no yoke there; wanted the folder of the programs, build/release/bin say")
    return args


def main():
    args = parse()
    made = record.of_script()
    cpus = len(os.sched_getaffinity(0))
    choices = choices_of(cpus)
    source = tuple(args.source.split(",")) if args.source else (f"{cpus}x1", "pool")
    if source not in choices:
        fail(f"--from {args.source}: wanted one of {' '.join(','.join(choice) for choice in choices)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = measured(folder, args, choices)
        made |= {key: value for key, value in (record.of_program(next(iter(paths.values()))[0]) or {}).items() if key not in made}
        found = [compare(folder, args, paths, benchmark, source) for benchmark in args.benchmarks]
    rows = [row for _, some in found for row in some]
    print("        CUs    schedule      ms/step   range  predicted  error")
    for row in rows:
        print(text_of(row))
    errors = [abs(row["error"]) for row in rows if not row["is_source"]]
    print(f"within 5%: {sum(error <= 0.05 for error in errors)} of {len(errors)}")
    if args.json:
        args.json.write_text(json.dumps({"schema": "yoke-predictions/1", "record": made, "class": args.letter, "from": list(source),
                                         "machines": {name: machine for name, (machine, _) in zip(args.benchmarks, found)},
                                         "runs": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
