#!/usr/bin/env python3
"""Sizes of functions and files of the C++ code, beside the bars of CONTRIBUTING.md, and its comments.

    scripts/measure.py              medians, 90th percentiles and largest of the whole, a line for each folder, what is above
    scripts/measure.py cu base      the same for these folders only
    scripts/measure.py --bars       exit 1 where a bar is missed

Tests have a row of their own, behind that of all others: what is too long in them is named, and --bars passes over them.
A function counts from the line of its name to its closing brace, lambdas inside with it; a file counts all its lines.
Comments are lines of them for each line of code: of public headers outside of yoke/detail/, and of sources.
The whole ends with how many lines of tests there are for each line of libraries and tools, and of everything that is not a test:
lines of C++ and Python that are neither blank nor only a comment.
"""

import argparse
import pathlib
import re
import sys
from typing import NamedTuple

from boundaries.layout import FOLDERS, MAX_LINES
from boundaries.source import Source, is_under, list_files, read

FUNCTION_BARS = {"median": 5, "p90": 15, "largest": 40}
FILE_BARS = {"median": 65, "p90": 170, "largest": MAX_LINES}

# What may stand between a function's parameters and its body.
AFTER_PARAMETERS = re.compile(
    r"\)\s*(?:(?:const|volatile|noexcept(?:\s*\((?:[^()]|\([^()]*\))*\))?|override|final|&&?|try|requires\b[^{;]*|->[^{;]*)\s*)*$")
MEMBER_INITIALIZERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")
OPENS_A_SCOPE = re.compile(r"\bnamespace\b[\w:\s]*$|^extern\s*$|\b(?:class|struct|union)\b(?!.*\)\s*$)")
PUBLIC_HEADER = re.compile(r"/include/yoke/(?!detail/).*\.hpp$")
NO_LIBRARY = ("benchmarks", "docs", "scripts", "tests")
LABEL = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)")


class Function(NamedTuple):
    name: str
    line: int
    lines: int


def without_template_heads(head):
    """`template <class T = int>` and the like taken away, and `operator=` made a word."""
    head = re.sub(r"\boperator\s*(?:\(\)|\[\]|[^\s\w(]+)", "operator_", head)
    while match := re.match(r"\s*template\s*<", head):
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:]
    return head


def parameters_begin(head):
    """Where the parameter list opens, whose bracket is the first outside of template arguments; -1: none."""
    depth = 0
    for at, sign in enumerate(head):
        if sign == "(" and depth == 0 and re.search(r"[\w>]\s*$", head[:at]):
            return at
        depth += {"<": 1, ">": -1 if depth and head[at - 1] != "-" else 0}.get(sign, 0)
    return head.find("(")


def kind_of(head):
    """What the brace after this text opens: a scope, a function, a value within its head or something else."""
    plain = without_template_heads(head).strip()
    if OPENS_A_SCOPE.search(plain) and not re.search(r"\benum\b", plain):
        return "scope"
    if plain.count("(") > plain.count(")"):
        return "value"  # of a default argument
    if MEMBER_INITIALIZERS.search(plain):
        return "value" if re.search(r"[\w>]$", plain) else "function"
    if "(" not in plain or re.search(r"(?<![=!<>])=(?!=)", re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "()", plain)):
        return "other"
    return "function" if AFTER_PARAMETERS.search(plain) else "other"


def closing(code, at):
    """Where the brace at `at` is closed."""
    depth = 0
    for match in re.finditer(r"[{}]", code[at:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return at + match.start()
    return len(code) - 1


def functions_of(code):
    """Functions of code without comments, strings and directives."""
    head_begin, at = 0, 0
    while match := re.compile(r"[;{}]").search(code, at):
        at = match.end()
        if match[0] != "{":
            head_begin = at
            continue
        head = code[head_begin:match.start()]
        while label := LABEL.match(head):
            head_begin += label.end()
            head = head[label.end():]
        kind = kind_of(head)
        if kind == "scope":
            head_begin = at
            continue
        end = closing(code, match.start())
        at = end + 1
        if kind == "function":
            yield function(code, head_begin, head, end)
        if kind != "value":
            head_begin = at


def function(code, begin, head, end):
    plain = re.sub(r"\boperator\s*(?:\(\)|\[\]|[^\s\w(]+)", lambda found: "operator" + "_" * (len(found[0]) - 8), head)
    skipped = len(plain) - len(without_template_heads(plain)) if plain.lstrip().startswith("template") else 0
    opens = skipped + parameters_begin(plain[skipped:])
    name = re.search(r"[~\w:]*\s*$", plain[:opens])
    line = code.count("\n", 0, begin + opens) + 1
    return Function(name[0].strip() or "(unnamed)", line, code.count("\n", 0, end) + 1 - line + 1)


def code_of(source):
    """Directives blanked as well, whose braces need not pair."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: re.sub(r"[^\n]", " ", found[0]), source.code,
                  flags=re.MULTILINE)


def spread(sizes):
    """Median, 90th percentile and largest, each a size that occurs."""
    ordered = sorted(sizes) or [0]
    at = {"median": 0.5, "p90": 0.9, "largest": 1.0}
    return {name: ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] for name, share in at.items()}


def comments_and_code(text):
    """Lines that are a comment, with code that is followed by ///<, and lines of code."""
    lines = [stripped for line in text.splitlines() if (stripped := line.strip())]
    comments = sum(line.startswith("//") for line in lines)
    return comments + sum("///<" in line for line in lines if not line.startswith("//")), len(lines) - comments


def ratio(texts):
    """Comments for each line of code; "-" without code."""
    counted = [comments_and_code(text) for text in texts]
    code = sum(code for _, code in counted)
    return f"{sum(comments for comments, _ in counted) / code:.2f}" if code else "-"


def comments_of(sources):
    """The ratio of public headers, and that of sources."""
    return (ratio(s.text for s in sources if PUBLIC_HEADER.search(s.path)),
            ratio(s.text for s in sources if s.suffix in (".cpp", ".cu")))


def line_of(name, files, functions, comments):
    shown = [f"{spread(s)['median']:6} {spread(s)['p90']:4} {spread(s)['largest']:4}" for s in (functions, files)]
    return f"{name:26} {len(functions):6} {shown[0]}   {len(files):5} {shown[1]}   {comments[0]:>7} {comments[1]:>7}"


def lines_of_code(path, text):
    return sum(bool(line.strip()) and not line.lstrip().startswith("#" if path.endswith(".py") else "//")
               for line in text.splitlines())


def tests_beside_code(root):
    """A line with two ratios; nothing where there is no library."""
    sizes = [(path, lines_of_code(path, read(root, path))) for path in list_files(root)
             if path.endswith(".py") or Source(path, "").is_code()]
    tests = sum(size for path, size in sizes if is_under(path, "tests"))
    others = sum(size for path, size in sizes if not is_under(path, "tests"))
    libraries = sum(size for path, size in sizes if not is_under(path, *NO_LIBRARY))
    if not libraries:
        return []
    return [f"tests: {tests / libraries:.2f} lines for each of libraries and tools, {tests / others:.2f} for each that is no test"]


def missed(what, sizes, bars):
    found = spread(sizes)
    return [f"{what}: {name} {found[name]}, wanted at most {bars[name]}" for name in bars if found[name] > bars[name]]


def folder_of(path):
    return next((folder for folder in FOLDERS if path.startswith(folder + "/")), path.split("/")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--bars", action="store_true")
    parser.add_argument("--root", default=str(pathlib.Path(__file__).resolve().parent.parent))
    asked = parser.parse_args()
    sources = [Source(path, read(asked.root, path)) for path in list_files(asked.root)
               if not asked.folders or is_under(path, *asked.folders)]
    sources = [source for source in sources if source.is_code()]
    measured = [(s.path, len(s.text.splitlines()), list(functions_of(code_of(s)))) for s in sources]
    if not measured:
        parser.error(f"{' '.join(asked.folders)}: no C++ code there")

    def sizes(folder=None):
        chosen = [m for m in measured if folder == folder_of(m[0]) or (folder is None and folder_of(m[0]) != "tests")]
        return [lines for _, lines, _ in chosen], [f.lines for _, _, found in chosen for f in found]

    print(f"{'':26} {'functions: median, p90, largest':>23} {'files: median, p90, largest':>31}  comments: headers, sources")
    folders = {folder_of(path) for path, _, _ in measured}
    for folder in sorted(folders - {"tests"}):
        print(line_of(folder, *sizes(folder), comments_of([s for s in sources if folder_of(s.path) == folder])))
    print(line_of("all", *sizes(), comments_of([s for s in sources if folder_of(s.path) != "tests"])))
    if "tests" in folders:
        print(line_of("tests", *sizes("tests"), comments_of([s for s in sources if folder_of(s.path) == "tests"])))
    for line in [] if asked.folders else tests_beside_code(asked.root):
        print(line)
    for path, lines, found in measured:
        if lines > FILE_BARS["largest"]:
            print(f"{path}:1: {lines} lines; wanted at most {FILE_BARS['largest']}")
        for each in found:
            if each.lines > FUNCTION_BARS["largest"]:
                print(f"{path}:{each.line}: {each.name} has {each.lines} lines; wanted at most {FUNCTION_BARS['largest']}")
    files, functions = sizes()
    below = missed("functions", functions, FUNCTION_BARS) + missed("files", files, FILE_BARS)
    for line in below:
        print(line)
    return 1 if below and asked.bars else 0


if __name__ == "__main__":
    sys.exit(main())
