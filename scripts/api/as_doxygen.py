#!/usr/bin/env python3
"""Headers as Doxygen wants them: as_doxygen.py FOLDER FILE… writes them into FOLDER, at the same paths.

Docstrings are plain text, in which `<T>`, `#` and `@` mean themselves; lines that are indented by three are code; and what a header
begins with is about the header. Lines keep their numbers, so that warnings name those of the file.
"""
import pathlib
import re
import sys

DOCSTRING = re.compile(r"^(\s*///)(?![/<])(.*)$")
BEHIND = re.compile(r"^(.*?///<)(.*)$")
SPECIAL = re.compile(r"[\\@<>#%]")


def escaped(text):
    """All but what stands between backticks."""
    parts = text.split("`")
    return "`".join(part if at % 2 else SPECIAL.sub(r"\\\g<0>", part) for at, part in enumerate(parts))


def code_ends(lines, begin):
    """One behind the last line of the code that begins there; empty lines belong to it where more follows."""
    end = begin
    for at in range(begin, len(lines)):
        if lines[at].startswith("   "):
            end = at + 1
        elif lines[at].strip():
            break
    return end


def docstring(lines):
    """`lines`: behind their ///."""
    out = []
    while len(out) < len(lines):
        end = code_ends(lines, len(out))
        code = lines[len(out):end]
        if code:
            code[0] = " @code{.cpp} " + code[0]
            code[-1] += " @endcode"
            out += code
        else:
            out.append(escaped(lines[len(out)]))
    return out


def converted(lines):
    out = []
    while len(out) < len(lines):
        found = [match for line in lines[len(out):] for match in [DOCSTRING.match(line)]]
        block = found[:found.index(None)] if None in found else found
        if block:
            if out and out[-1] == "#pragma once":
                out[-1] = "/// @file"
            out += [match[1] + text for match, text in zip(block, docstring([match[2] for match in block]))]
        else:
            behind = BEHIND.match(lines[len(out)])
            out.append(behind[1] + escaped(behind[2]) if behind else lines[len(out)])
    return out


if __name__ == "__main__":
    for name in sys.argv[2:]:
        made = pathlib.Path(sys.argv[1], name)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text("\n".join(converted(pathlib.Path(name).read_text(encoding="utf-8").split("\n"))), encoding="utf-8")
