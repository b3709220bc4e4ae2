#!/usr/bin/env python3
"""Lines of C++ code in folders, without blank ones and without comments: what has been written, not how well it is explained.

    scripts/code_lines.py placement versions       a line for each folder and one for all of them together
    scripts/code_lines.py --at COMMIT placement    the same at another commit

A folder that has no code is an error, so that a name that was mistyped counts for nothing nowhere.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from boundaries.source import CODE, LEXEMES, is_under, list_files, read

ROOT = pathlib.Path(__file__).resolve().parent.parent


def lines_of_code(text):
    without_comments = LEXEMES.sub(lambda found: re.sub(r"[^\n]", " ", found[0]) if found["comment"] else found[0], text)
    return sum(bool(line.strip()) for line in without_comments.splitlines())


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, errors="replace", check=False)


def files_at(root, commit):
    """(path, text) of what has code; of the working tree where there is no commit."""
    if commit is None:
        yield from ((path, read(root, path)) for path in list_files(root) if pathlib.PurePosixPath(path).suffix in CODE)
        return
    listed = git(root, "ls-tree", "-r", "--name-only", commit)
    if listed.returncode != 0:
        sys.exit(f"--at {commit}: no such commit; one that 'git rev-parse' knows")
    for path in listed.stdout.splitlines():
        if pathlib.PurePosixPath(path).suffix in CODE:
            yield path, git(root, "show", f"{commit}:{path}").stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--at", metavar="COMMIT")
    parser.add_argument("--root", default=str(ROOT))
    asked = parser.parse_args()
    folders = [folder.rstrip("/") for folder in asked.folders]
    counts = {folder: [] for folder in folders}
    for path, text in files_at(asked.root, asked.at):
        for folder in folders:
            if is_under(path, folder):
                counts[folder].append(lines_of_code(text))
                break  # of folders within one another the first one has it
    for folder, found in counts.items():
        if not found:
            parser.error(f"{folder}: no C++ code there")
    width = max(len(folder) for folder in [*folders, "together"])
    print(f"{'':{width}}  files  lines")
    for folder, found in counts.items():
        print(f"{folder:{width}} {len(found):6} {sum(found):6}")
    print(f"{'together':{width}} {sum(map(len, counts.values())):6} {sum(map(sum, counts.values())):6}")


if __name__ == "__main__":
    main()
