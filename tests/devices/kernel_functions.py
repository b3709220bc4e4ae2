#!/usr/bin/env python3
"""Compiles kernel_functions.cpp and reads the compiler's own record of what it did: a function that takes a
device_ptr or a view becomes part of the loop of a CPU CU, and the loop is vectorized, where that is so with
pointers.

    kernel_functions.py COMPILER SOURCE FOLDER…        (folders of headers)
"""
import os
import re
import subprocess
import sys
import tempfile

LOOPS = ("stencil", "deep", "object", "lambda", "table", "bytes", "views")
# Mangled namespaces of the functions that kernels call.
HELPERS = ("7helpers", "12user_kernels")
# What a check of one pointer may cost a function, as part of the largest that is compiled in with a pointer.
ALLOWED = 0.9


def records(compiler, source, folders, level):
    """One dictionary for each remark of inliner and vectorizer."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.yaml")
        subprocess.run([compiler, "-std=c++20", level, "-ffp-contract=off", *("-I" + f for f in folders), "-c", source,
                        "-o", os.path.join(folder, "object.o"), "-fsave-optimization-record",
                        "-foptimization-record-file=" + path], check=True)
        with open(path, encoding="utf-8") as file:
            text = file.read()
    found = []
    for entry in text.split("--- !")[1:]:
        fields = dict(re.findall(r"^(?: +- )?(\w+): +'?([^'\n]*)'?$", entry, re.MULTILINE))
        found.append({"kind": entry.split()[0], **fields})
    return found


def named(name):
    """As a mangled symbol has it."""
    return f"{len(name)}{name}"


def outside(all_records):
    """Calls of helpers that stay calls, but those that look for the largest one."""
    return sorted({(r["Callee"], r["Function"]) for r in all_records
                   if r["kind"] == "Missed" and r["Pass"] == "inline" and any(space in r["Callee"] for space in HELPERS)
                   and "5terms" not in r["Callee"]})


def widths(all_records, *parts):
    """Of the vectorized loops in functions whose symbols have all the parts."""
    return {int(r["VectorizationFactor"]) for r in all_records
            if r["Pass"] == "loop-vectorize" and r["Name"] == "Vectorized"
            and all(part in r["Function"] for part in parts)}


def largest(all_records, pointer):
    """Accesses of the largest function that is compiled into its caller."""
    sizes = {True: [0], False: []}
    for r in all_records:
        size = re.search(rf"5termsILi(\d+)E{pointer}", r.get("Callee", ""))
        if size and r["Pass"] == "inline":
            sizes[r["kind"] == "Passed"].append(int(size[1]))
    assert sizes[False], "every size is compiled in: there is nothing to find"
    return max(sizes[True])


def failures(all_records):
    for callee, caller in outside(all_records):
        yield f"{callee} is called by {caller}, and not a part of it"
    for name in LOOPS:
        plain = widths(all_records, named("plain_" + name))
        ours = widths(all_records, "4yoke6detail", "I" + named(name))
        if not plain <= ours:
            yield f"the loop of {name} has vectors of {plain} with pointers, of {ours or 'nothing'} with Yoke"
    plain, ours = largest(all_records, "PKd"), largest(all_records, "N4yoke10device_ptrIKdEE")
    print(f"  accesses of the largest function that is compiled in: {plain} with a pointer, {ours} with a device_ptr")
    if ours < ALLOWED * plain:
        yield f"a function of {ours} accesses is the largest that is compiled in; with a pointer it has {plain}"


def main():
    compiler, source, *folders = sys.argv[1:]
    bad = 0
    for level in ("-O2", "-O3"):
        print(level)
        for failure in failures(records(compiler, source, folders, level)):
            print("  " + failure)
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
