#!/usr/bin/env python3
"""What building costs, in seconds of CPU time: in all, by room, and the files that take most.

  scripts/build_times.py release            builds all of a preset anew, in a folder of its own, and says so
  scripts/build_times.py release sp-mz      these targets alone
  scripts/build_times.py --read FILE        of a build with scripts/timed_compiler.sh as the compiler's launcher

Other work on the machine makes CPU time longer, too: compare figures of one machine that does nothing else."""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAUNCHER = ROOT / "scripts" / "timed_compiler.sh"
MOST_EXPENSIVE = 10
# Folders of which each part is a room to somebody who looks for what takes long.
OF_PARTS = ("tests", "benchmarks", "docs")


def room_of(target_folder):
    parts = target_folder.split("/")
    return "/".join(parts[:2]) if parts[0] in OF_PARTS else parts[0]


def read(text):
    """(seconds, room, object) of each line "user system object"; other lines are what a compiler said."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"(\d+\.\d+) (\d+\.\d+) (\S+?)?/?CMakeFiles/(.+)", line)
        if match:
            user, system, folder, rest = match.groups()
            room = room_of(folder) if folder else "headers of rooms"
            found.append((float(user) + float(system), room, f"{folder}/{rest}" if folder else rest))
    return found


def table(files):
    rooms = defaultdict(lambda: [0.0, 0])
    for seconds, room, _ in files:
        rooms[room][0] += seconds
        rooms[room][1] += 1
    lines = [f"{'CPU s':>8} {'files':>6}  room"]
    for room, (seconds, count) in sorted(rooms.items(), key=lambda item: -item[1][0]):
        lines.append(f"{seconds:8.1f} {count:6}  {room}")
    lines.append(f"{sum(seconds for seconds, _, _ in files):8.1f} {len(files):6}  compiling, in all")
    lines += ["", f"{'CPU s':>8}  file"]
    for seconds, _, name in sorted(files, reverse=True)[:MOST_EXPENSIVE]:
        lines.append(f"{seconds:8.1f}  {name}")
    return "\n".join(lines)


def build(preset, targets):
    """Builds anew; returns what the launcher wrote, and the CPU seconds of all that the build ran."""
    folder = ROOT / "build" / f"times-{preset}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "times"
    environment = dict(os.environ, BUILD_TIMES=str(log), CCACHE_DISABLE="1")
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={LAUNCHER}" for language in ("CXX", "CUDA")]
    with open(folder / "output", "w", encoding="utf-8") as output:
        for command in (["cmake", "--preset", preset, "-B", str(folder), *launchers],
                        ["cmake", "--build", str(folder), *(["--target", *targets] if targets else [])]):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if subprocess.run(command, cwd=ROOT, env=environment, stdout=output, stderr=output, check=False).returncode:
                sys.exit(f"build_times.py: {' '.join(command)} failed; its output is in {output.name}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return log.read_text(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="?", help="as in CMakePresets.json")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--read", metavar="FILE", help="of a build that has been")
    asked = parser.parse_args()
    if (asked.preset is None) == (asked.read is None):
        parser.error("give a preset, or --read FILE")
    if asked.read:
        try:
            files = read(pathlib.Path(asked.read).read_text(errors="replace"))
        except OSError as problem:
            parser.error(f"--read {asked.read}: {problem.strerror}")
        if not files:
            parser.error(f"--read {asked.read}: no line of scripts/timed_compiler.sh is in it")
        print(table(files))
        return
    text, seconds = build(asked.preset, asked.targets)
    print(table(read(text)))
    print(f"\n{seconds:8.1f}  CPU s of the whole build, with linking")


if __name__ == "__main__":
    main()
