"""The blocks of the documents that are not C++ are run, or another test runs them, or they are no commands: none is passed over.

    run_blocks.py BIN

A line that begins with `$` is run, and what follows in its block must be printed, numbers to 5%; an ellipsis at its end
stands for any lines.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from links import documents, read

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Page and first words of each block that is run here, and what is put in place of its options, so that it takes a moment.
RUN = {
    ("guide/README.md", "YOKE_DISPLAY_ENV=1"): {},
    ("npb-mz.md", "sp-mz --class W"): {r"--class [WAC]": "--class S", r"--devices cuda:0": "--devices emulated:1", "--steps 20": "--steps 2",
                                         "mpirun -np 4 --map-by slot:PE=8 --bind-to core ": ""},
    ("npb-mz.md", "for way in direct"): {"--class D": "--class S", "cuda:0,1": "emulated:2"},
    ("when-it-is-slow.md", "YOKE_PROFILE=none"): {"--class W": "--class S"},
    ("yoke-command.md", "$ yoke places"): {},
    ("yoke-command.md", "$ yoke simulate"): {},
}
# Another test runs it: its file, and words there.
BY_OTHERS = {
    ("README.md", "./scripts/run.sh"): ("tests/integration/scripts/first_command.sh", "run.sh"),
    ("README.md", "cmake -G Ninja"): ("tests/integration/install/install_test.sh", "cmake --install"),
    ("README.md", "find_package(yoke"): ("tests/integration/install/outside/CMakeLists.txt", "find_package(yoke CONFIG REQUIRED)"),
    ("scripts-and-installation.md", "cmake --build"): ("tests/integration/install/install_test.sh", "cmake --install"),
    ("scripts-and-installation.md", "find_package(yoke"): ("tests/integration/install/outside/CMakeLists.txt", "find_package(yoke CONFIG REQUIRED)"),
    ("scripts-and-installation.md", "export PKG_CONFIG"): ("tests/integration/install/install_test.sh", "pkg-config --cflags --libs yoke"),
    ("gpus.md", "find_package(yoke"): ("tests/integration/install/outside/CMakeLists.txt", "yoke_kernel_sources(bits bits.cpp)"),
    ("amd-gpus.md", "./scripts/setup.sh"): (".ci/run", "scripts/setup.sh hip"),
    ("bt-mz-solver.md", "./scripts/run.sh"): ("tests/integration/scripts/first_command.sh", "run.sh"),
    ("lu-mz-solver.md", "./scripts/run.sh"): ("tests/integration/scripts/first_command.sh", "run.sh"),
    ("sp-mz-solver.md", "./scripts/run.sh"): ("tests/integration/scripts/first_command.sh", "run.sh"),
    ("ranks.md", "mpirun -np 4"): ("tests/integration/examples.cmake", "yoke-zones-ranks"),
    ("scheduling.md", "export PATH"): ("tests/integration/install/install_test.sh", "-shared -fPIC"),
    ("your-schedule.md", "export PATH"): ("tests/integration/tutorial.py", "PATH"),
    ("your-schedule.md", "cp -r $PREFIX"): ("tests/integration/install/install_test.sh", "-S \"$docs/examples\""),
    ("your-schedule.md", "yoke"): ("tests/integration/tutorial.py", "line.startswith(\"yoke\")"),
    ("your-schedule.md", "clang++-19"): ("tests/integration/install/install_test.sh", "-shared -fPIC"),
}
MACHINE = ("yoke-command.md", "{ \"schema\"")
# What a program prints, pictures of text, and commands for machines that CI lacks.
SHOWN = {
    ("npb-mz/README.md", "faces of the neighbours"), ("SPEC.md", ""), ("design.md", "graph TD"),
    ("arrays.md", "units 0 1 2 3"), ("arrays.md", "dimension 0"), ("placement.md", "yoke: host code touched"),
    ("compute-units.md", "YOKE_CUS=2x1: OMP_PLACES gives"),
    ("amd-gpus.md", "cmake --preset hip -DCMAKE_HIP_ARCHITECTURES=gfx942"), ("blas-fftw-mpi.md", "srun"),
}


def blocks():
    for page in documents(ROOT):
        for language, text in BLOCK.findall(read(page)):
            if language != "cpp":
                yield str(page.relative_to(ROOT)), text


def entry(table, page, text):
    """The key in `table` that is the block's: the longest of those that fit."""
    fits = [key for key in table if page.endswith(key[0]) and text.startswith(key[1])]
    return max(fits, key=lambda key: len(key[0]) + len(key[1]), default=None)


def run(line, bin_folder):
    environment = os.environ | {"PATH": f"{bin_folder}:{os.environ['PATH']}", "YOKE_PROFILE": "none"}
    done = subprocess.run(line.replace("build/release/bin/", ""), shell=True, cwd=pathlib.Path.cwd(), env=environment,
                          capture_output=True, text=True, timeout=300, check=False)
    # A question about what is accepted ends as an error.
    if done.returncode != 0 and "=help " not in line:
        sys.exit(f"{line}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def agree(shown, said):
    """Whether a word that is printed is the one that a document shows."""
    try:
        return abs(float(shown.rstrip("%")) - float(said.rstrip("%"))) <= 0.05 * abs(float(shown.rstrip("%")))
    except ValueError:
        return shown == said


def is_printed(lines, said):
    """Whether the lines of a document stand for what a command said."""
    if "…" in lines[-1]:
        lines, said = lines[:-1], said[:len(lines) - 1]
    return len(lines) == len(said) and all(
        len(a.split()) == len(b.split()) and all(map(agree, a.split(), b.split())) for a, b in zip(lines, said))


def run_block(text, replaced, bin_folder):
    lines = text.splitlines()
    if lines[0].startswith("$ "):
        said = run(lines[0][2:], bin_folder)
        if not is_printed(lines[1:], said.rstrip().splitlines()):
            sys.exit(f"{lines[0]}: the document shows\n{text}it prints\n{said}")
        return 1
    for line in lines:
        for pattern, instead in replaced.items():
            line = re.sub(pattern, instead, line)
        run(line, bin_folder)
    return len(lines)


def machine_file(text, bin_folder):
    json.loads(text)
    pathlib.Path("node.json").write_text(text, encoding="utf-8")
    run("yoke simulate --machine node.json --class SP:S --cus 16x1+2 --schedule auto", bin_folder)
    return 1


def main(bin_folder):
    bin_folder, n_run, met = pathlib.Path(bin_folder).resolve(), 0, set()
    found, all_keys = list(blocks()), {**RUN, **BY_OTHERS, **dict.fromkeys({*SHOWN, MACHINE})}
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for name in ("docs", "tests"):
            pathlib.Path(name).symlink_to(ROOT / name)
        for page, text in found:
            key = entry(all_keys, page, text)
            if key is None:
                sys.exit(f"{page}: this block is neither run nor named in {__file__}:\n{text}")
            met.add(key)
            if key in RUN:
                n_run += run_block(text, RUN[key], bin_folder)
            elif key == MACHINE:
                n_run += machine_file(text, bin_folder)
            elif key in BY_OTHERS:
                file, words = BY_OTHERS[key]
                if words not in read(ROOT / file):
                    sys.exit(f"{page}: {file}, which is to run this block, has no {words}:\n{text}")
        os.chdir(ROOT)
    if met != set(all_keys):
        sys.exit(f"no document has these blocks: {set(all_keys) - met}")
    print(f"{len(found)} blocks, {n_run} commands run")


if __name__ == "__main__":
    main(sys.argv[1])
