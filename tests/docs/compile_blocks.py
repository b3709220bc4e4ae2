"""The blocks of C++ in the guide are C++ that uses Yoke's headers as they are.

    compile_blocks.py COMPILER

Each block is put between the lines of `blocks.hpp` that name its page, structs and functions outside of a function, the rest
inside of one, and compiled without making code. Left out are blocks that are an example's (test_documents.py compares these),
blocks with an ellipsis, and what is marked as two programs side by side.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GUIDE = ROOT / "docs/guide"
BLOCK = re.compile(r"(<!-- .* -->\n+)?```cpp\n(.*?)```", re.DOTALL)
OUTSIDE = re.compile(r"(struct|class|#include|YOKE_SCHEDULE_PLUGIN|int main)\b|#include")
FEWEST = 17


def parts(block):
    """Top-level declarations, and the statements around them."""
    outside, inside, open_ones, here = [], [], 0, False
    for line in block.splitlines():
        if open_ones == 0:
            here = bool(OUTSIDE.match(line))
        (outside if here else inside).append(line)
        code = line.split("//")[0]
        open_ones += sum(code.count(c) for c in "({[") - sum(code.count(c) for c in ")}]")
    return outside, inside


def blocks():
    for page in sorted(GUIDE.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            if not found[1] and "…" not in found[2]:
                yield page.name, text[:found.start(2)].count("\n") + 1, found[2]


def unit():
    """One file of all blocks; a compiler's message names page and line."""
    lines, count = ['#include "blocks.hpp"'], 0
    for name, first, block in blocks():
        count += 1
        outside, inside = parts(block)
        includes = [line for line in outside if line.startswith("#include")]
        page = re.sub(r"\W", "_", name.removesuffix(".md"))
        lines += includes + [f"namespace block_{count} {{ using namespace of_{page};", f'#line {first} "{name}"',
                             *(line.replace("int main()", "int program()") for line in outside if line not in includes),
                             "[[maybe_unused]] void run() {", f'#line {first} "{name}"', *inside, "}", "}"]
    return "\n".join(lines) + "\n", count


def main(compiler):
    includes = [f"-I{folder}" for folder in [HERE, *sorted(ROOT.glob("*/include"))]]
    text, count = unit()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "blocks.cpp")
        file.write_text(text, encoding="utf-8")
        done = subprocess.run([compiler, *includes, "-std=c++20", "-fopenmp=libomp", "-fsyntax-only", "-Werror", "-Wno-return-type", str(file)], check=False)
    print(f"{count} blocks of the guide")
    return done.returncode or count < FEWEST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
