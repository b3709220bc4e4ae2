"""The figures, by the first interpreter that has matplotlib: often that is the system's, and not the first python3.

As a program it draws what it reads, and writes what it has drawn, both as JSON.
"""
import json
import os
import pathlib
import site
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# Where `pip install --user` puts what -I leaves out; last, so that nothing there hides a module of Python's own.
sys.path.append(site.getusersitepackages())

SYSTEM = ("/usr/bin/python3", "/usr/local/bin/python3")


def interpreters():
    """This one, which may have it where it begins anew, those of PATH, the system's."""
    found = [sys.executable] + [str(pathlib.Path(folder) / "python3") for folder in os.get_exec_path()] + list(SYSTEM)
    return [each for each in dict.fromkeys(found) if each and os.access(each, os.X_OK)]


def run_by(interpreter, task, told=None):
    """What this file as a program says in another interpreter; None where that has no matplotlib either."""
    try:
        done = subprocess.run([interpreter, "-I", "-B", __file__, task], input=json.dumps(told), capture_output=True, text=True,
                              check=False)
    except OSError:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def who_draws():
    """An interpreter that has matplotlib, this one where it has; None where nobody has. Says which another one it is."""
    try:
        import plots  # noqa: F401 (whether it can be)
        return sys.executable
    except ImportError as problem:
        missing = problem
    for interpreter in interpreters():
        if run_by(interpreter, "try"):
            print(f"yoke compare: plots by {interpreter}; {sys.executable} cannot: {missing}", file=sys.stderr)
            return interpreter
    print(f"yoke compare: no plots: {missing}; `apt install python3-matplotlib` or `pip install matplotlib` mends it, "
          "and the same command draws what was measured", file=sys.stderr)
    return None


def draw_all(by, folder, cells, rows, traces):
    """As plots.draw_all, by what who_draws() gave."""
    return run_by(by, "draw", {"folder": str(folder), "cells": cells, "rows": rows, "traces": traces}) or []


def main():
    import plots
    found = True
    if sys.argv[1] == "draw":
        told = json.load(sys.stdin)
        found = plots.draw_all(pathlib.Path(told["folder"]), told["cells"], told["rows"], told["traces"])
    print(json.dumps(found, default=str))


if __name__ == "__main__":
    main()
