"""The blocks of C++ in the documents are C++ that uses Yoke's headers as they are.

    compile_blocks.py COMPILER

Each block is put between the lines of `blocks.hpp` that name its page, structs and functions outside of a function, the rest
inside of one, and compiled without making code. Left out is what a comment before it marks: an example's code
(test_documents.py compares it), two programs side by side, and what CUDA's compiler alone reads.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from links import documents, read

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BLOCK = re.compile(r"(<!-- [^\n]* -->\n+)?```cpp\n(.*?)```", re.DOTALL)
OUTSIDE = re.compile(r"(struct|class|#include|YOKE_SCHEDULE_PLUGIN|int main)\b|#include")
LEFT_OUT = re.compile(r"<!-- (code of \S+|two programs side by side|for CUDA's compiler) -->\s*")
FEWEST = 20


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
    for page in documents(ROOT):
        text = read(page)
        assert text.count("```cpp\n") == len(BLOCK.findall(text)), page
        for found in BLOCK.finditer(text):
            if not LEFT_OUT.fullmatch(found[1] or ""):
                yield str(page.relative_to(ROOT)), text[:found.start(2)].count("\n") + 1, found[2]


def unit():
    """One file of all blocks; a compiler's message names page and line."""
    lines, count = ['#include "blocks.hpp"'], 0
    for name, first, block in blocks():
        count += 1
        outside, inside = parts(block)
        includes = [line for line in outside if line.startswith("#include")]
        page = re.sub(r"\W", "_", name.removeprefix("docs/guide/").removesuffix(".md"))
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
    print(f"{count} blocks of the documents")
    return done.returncode or count < FEWEST


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
