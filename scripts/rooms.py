#!/usr/bin/env python3
"""Checks the boundaries between rooms and a few rules that no compiler knows.

    scripts/rooms.py              every rule over the files of the repository
    scripts/rooms.py --headers    each public header compiles alone, seeing only the rooms it may use
    scripts/rooms.py --root DIR   the same for another tree (the test of this script uses it)

A finding reads FILE:LINE: what was found; what is allowed. Exit 1 when there is one.
"""

import argparse
import pathlib
import sys

from boundaries.headers import check_headers
from boundaries.layout import MOST_WHITE_BOX, PICTURE
from boundaries.picture import arrows_found, the_picture_is_the_code
from boundaries.rules import Rules
from boundaries.source import Source, is_under, list_files, private_header, public_headers, read

ROOT = pathlib.Path(__file__).resolve().parent.parent


def most_tests_use_what_users_have(sources, paths):
    tests = [source for source in sources if is_under(source.path, "tests") and source.is_code()]
    headers = public_headers(paths)
    white = [source for source in tests if private_header(source, headers, set(paths))]
    if len(white) > MOST_WHITE_BOX * len(tests):
        yield (f"tests:1: {len(white)} of {len(tests)} sources include private headers; allowed: {MOST_WHITE_BOX:.0%} of them "
               "[most_tests_use_what_users_have]")


def check_rules(root):
    paths = list_files(root)
    sources = [Source(path, read(root, path)) for path in paths]
    rules = Rules(paths).all()
    if PICTURE in paths:
        for finding in the_picture_is_the_code(read(root, PICTURE), arrows_found(sources, paths)):
            yield f"{PICTURE}:{finding.line}: {finding.found}; allowed: {finding.allowed} [the_picture_is_the_code]"
    yield from most_tests_use_what_users_have(sources, paths)
    for source in sources:
        path = source.path
        for rule in rules:
            for finding in rule(source):
                yield f"{path}:{finding.line}: {finding.found}; allowed: {finding.allowed} [{rule.__name__}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headers", action="store_true", help="compile each public header alone instead")
    parser.add_argument("--root", default=str(ROOT))
    options = parser.parse_args()
    check = check_headers(options.root) if options.headers else check_rules(options.root)
    count = 0
    for count, finding in enumerate(check, 1):
        print(finding)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
