#!/usr/bin/env python3
"""Each public header says first of all which standard it needs, to a compiler that is told an older one.

    old_standard.py COMPILER INCLUDES HEADER...
"""
import pathlib
import re
import subprocess
import sys


def first_error(compiler, includes, header):
    text = subprocess.run(
        [compiler, "-std=c++17", "-fsyntax-only", "-x", "c++", *includes, "-include", header, "/dev/null"],
        capture_output=True, text=True, check=False).stderr
    found = re.search(r"error: (.*)", text)
    return found.group(1) if found else "no error"


def main(compiler, includes, headers):
    includes += sorted({f"-I{pathlib.Path(header).parent.parent}" for header in headers})  # also of rooms above arrays
    says_other = {}
    for header in headers:
        error = first_error(compiler, includes, header)
        if "Yoke needs C++20: compile with -std=c++20" not in error:
            says_other[header] = error
    for header, error in says_other.items():
        print(f"{header}: {error}")
    assert headers, "no headers were given"
    return 1 if says_other else 0


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as lines:
        sys.exit(main(sys.argv[1], lines.read().split(), sys.argv[3:]))
