#!/usr/bin/env python3
"""Checks the boundaries between rooms and a few rules that no compiler knows.

    scripts/rooms.py              every rule over the files of the repository
    scripts/rooms.py --headers    each public header compiles alone, seeing only the rooms it may use
    scripts/rooms.py --root DIR   the same for another tree (the test of this script uses it)

A finding reads FILE:LINE: what was found; what is allowed. Exit 1 when there is one.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Folder of each room, longest first; tests see everything, so they are no room.
FOLDERS = {
    "docs/examples": "examples",
    "benchmarks": "benchmarks",
    "scheduling": "scheduling",
    "placement": "placement",
    "devices": "devices",
    "runtime": "runtime",
    "arrays": "arrays",
    "tools": "tools",
    "base": "base",
    "cu": "cu",
}
# Every other folder in devices is a backend.
BACKEND = re.compile(r"devices/(?!include/|src/)[^/]+/")
CORE = {"base", "devices", "cu", "placement", "scheduling", "runtime"}
PUBLIC = CORE | {"arrays"}
MAY_USE = {
    "base": {"base"},
    "devices": {"base", "devices"},
    "backends": {"base", "devices", "backends"},
    "cu": {"base", "devices", "cu"},
    "placement": {"base", "devices", "cu", "placement"},
    "scheduling": {"base", "scheduling"},
    "runtime": CORE,
    "arrays": PUBLIC,
    "benchmarks": PUBLIC | {"benchmarks"},
    "examples": PUBLIC | {"examples"},
    "tools": CORE | {"tools"},
}
# The rooms of the NPB-MZ driver, and those that each may use.
DRIVER = "benchmarks/npb-mz/driver/"
DRIVER_USES = {
    "run": {"march", "gpu", "host", "step", "faces"},
    "march": {"gpu", "host", "step", "faces"},
    "gpu": {"step", "faces"},
    "host": {"step", "faces"},
    "step": {"faces"},
    "faces": set(),
}
# Draws the rooms and their arrows; a room may use all that its arrows lead to.
PICTURE = "docs/design.md"
# The one header of the backends that user kernels include.
ALIAS_HEADER = "yoke/gpu.hpp"
CUDA = "/usr/local/cuda/include"

CODE = {".cpp", ".hpp", ".cu", ".cuh", ".h"}
SCRIPTS = {".py", ".sh", ".cmake"}
MAX_LINES = 600

LEXEMES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<include>^[ \t]*\#[ \t]*include[^\n]*)
      | (?P<number>\b\d[\w'.]*)
      | (?P<string>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


class Finding(NamedTuple):
    line: int
    found: str
    allowed: str


def room_of(path):
    if BACKEND.match(path):
        return "backends"
    return next((room for folder, room in FOLDERS.items() if path.startswith(folder + "/")), None)


class Source:
    """A file with its text, its code (no comments, no strings) and its includes."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.suffix = pathlib.PurePosixPath(path).suffix
        self.room = room_of(path)
        self.code = LEXEMES.sub(self._blank, text) if self.is_code() else ""
        self.includes = [(number, match[1], match[2]) for number, line in enumerate(self.code.split("\n"), 1)
                         if (match := INCLUDE.match(line))]

    def is_code(self):
        return self.suffix in CODE

    @staticmethod
    def _blank(match):
        if match["comment"] or match["string"]:
            return re.sub(r"[^\n]", " ", match[0])
        return match[0]

    def uses(self, pattern):
        """(line, identifier) wherever the code, includes apart, matches."""
        for number, line in enumerate(self.code.split("\n"), 1):
            if not INCLUDE.match(line):
                for match in re.finditer(pattern, line):
                    yield number, match[0].rstrip(" (")


def is_under(path, *folders):
    return any(path.startswith(folder + "/") for folder in folders)


def public_headers(paths):
    """<yoke/...> name of every public header -> its path."""
    return {match[1]: path for path in paths if (match := re.search(r"/include/(yoke/.+)$", path))}


def included(source, headers, paths):
    """(line, name, file) of each include that is a file of the repository."""
    for line, quote, name in source.includes:
        target = headers.get(name)
        if quote == '"' or target is None:
            target = os.path.normpath(os.path.join(os.path.dirname(source.path), name))
        if target in paths:
            yield line, name, target


class Rules:
    """Each method is a rule: takes a source, yields findings. What is exempt stands in its first lines."""

    def __init__(self, paths):
        self.headers = public_headers(paths)
        self.paths = set(paths)

    def rooms_use_only_lower_rooms(self, source):
        if source.room is None:
            return
        allowed = MAY_USE[source.room]
        for line, name, target in included(source, self.headers, self.paths):
            room = Source(target, "").room
            if room is None:
                yield Finding(line, f"{name} belongs to no room", "a room includes rooms only")
            elif room not in allowed and not (name == ALIAS_HEADER and "runtime" in allowed):
                yield Finding(line, f"{source.room} includes {name} of {room}",
                              f"{source.room} may use {', '.join(sorted(allowed))}")
            elif room != source.room and target not in self.headers.values():
                yield Finding(line, f"{source.room} includes the private header {target}",
                              f"the public headers of {room}")

    def the_driver_uses_only_its_lower_rooms(self, source):
        if not source.path.startswith(DRIVER):
            return
        room = source.path[len(DRIVER):].split("/")[0]
        for line, _, name in source.includes:
            if (match := re.match(r"driver/(\w+)/", name)) and match[1] not in DRIVER_USES[room]:
                yield Finding(line, f"{room} includes {name} of {match[1]}",
                              f"{room} may use {', '.join(sorted(DRIVER_USES[room])) or 'no other room'}")

    def vendor_headers_stay_in_the_gpu_backend(self, source):
        # The stand-ins are vendor headers themselves.
        if is_under(source.path, "devices/gpu", "tests/support/hip-over-cuda", "tests/support/fake-hip"):
            return
        vendor = re.compile(r"^(cuda|cuda_\w+|cuda\w*|cooperative_groups|nvml|nvrtc|device_launch_parameters"
                            r"|cub/.*|thrust/.*|cuda/.*|hip/.*|hipcub/.*|rocprim/.*|nvtx3/.*)(\.h|\.hpp|\.cuh)?$")
        for line, _, name in source.includes:
            if vendor.match(name):
                yield Finding(line, f"vendor header {name}", f"only in devices/gpu; others include <{ALIAS_HEADER}>")

    def no_kernel_counts_on_lanes(self, source):
        """A warp has 32 lanes and a wavefront 64; the threads of an emulated block run one after the other."""
        for line, name in source.uses(r"\b(?:__(?:shfl|ballot|any|all|activemask|syncwarp|reduce|match)\w*|warpSize|"
                                      r"__popcll?|__ffsll?|__laneid|tiled_partition)\b"):
            yield Finding(line, name, "threads of a block talk through shared memory and meet at the end of a phase")

    def hwloc_stays_in_topology(self, source):
        if re.match(r"base/src/topology\w*\.[ch]pp$", source.path):
            return
        allowed = "only in base/src/topology*.cpp; others ask <yoke/topology.hpp>"
        for line, _, name in source.includes:
            if name.startswith("hwloc"):
                yield Finding(line, f"hwloc header {name}", allowed)
        for line, name in source.uses(r"\b(?:hwloc|HWLOC)_\w+"):
            yield Finding(line, name, allowed)

    def the_environment_stays_in_settings(self, source):
        if re.match(r"base/src/settings\w*\.[ch]pp$", source.path) or is_under(source.path, "tests"):
            return
        for line, name in source.uses(r"\b(?:(?:secure_)?getenv|setenv|unsetenv|putenv|clearenv|environ)\b"):
            yield Finding(line, name, "only in base/src/settings*.cpp; others ask <yoke/settings.hpp>")

    def openmp_entry_points_stay_in_openmp(self, source):
        if re.match(r"cu/src/openmp\w*\.[ch]pp$", source.path):
            return
        if is_under(source.path, "tests", "docs/examples", "benchmarks"):  # OpenMP programs themselves
            return
        allowed = "only in cu/src/openmp*.cpp; others use <yoke/openmp.hpp> or pragmas"
        for line, _, name in source.includes:
            if name in ("omp.h", "omp-tools.h"):
                yield Finding(line, f"OpenMP header {name}", allowed)
        verbs = "get|set|in|init|destroy|test|unset|pause|display|capture|fulfill|target|alloc|free"
        for line, name in source.uses(rf"\b(?:omp_(?:{verbs})\w*|kmp_\w+|__kmpc_\w+|ompt_\w+)\s*\("):
            yield Finding(line, name, allowed)

    def files_stay_short(self, source):
        if source.is_code():
            lines = source.code.split("\n")
        elif source.suffix in SCRIPTS or source.path.endswith("CMakeLists.txt"):
            lines = [line for line in source.text.split("\n") if not line.lstrip().startswith("#")]
        else:
            return
        count = sum(1 for line in lines if line.strip())
        if count > MAX_LINES:
            yield Finding(1, f"{count} lines of code", f"at most {MAX_LINES}: split it by concept")

    def no_private_paths(self, source):
        pattern = re.compile(r"(?<![\w.$}])/(?:home|Users|root|work|mnt|media|srv)/[\w.]+")
        for number, line in enumerate(source.text.split("\n"), 1):
            if match := pattern.search(line):
                yield Finding(number, f"private path {match[0]}", "paths inside the repository or of the system")

    def no_unfinished_marks(self, source):
        pattern = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
        for number, line in enumerate(source.text.split("\n"), 1):
            if match := pattern.search(line):
                yield Finding(number, f"mark {match[0]}", "finished work; what is left goes into an issue")

    def links_resolve(self, source):
        if source.suffix != ".md":
            return
        code = False
        for number, line in enumerate(source.text.split("\n"), 1):
            if line.lstrip().startswith("```"):
                code = not code
            for link in [] if code else re.findall(r"\]\(([^)\s#]+)[^)]*\)", line):
                target = os.path.normpath(os.path.join(os.path.dirname(source.path), link))
                if "://" in link or target in self.paths or any(is_under(path, target) for path in self.paths):
                    continue
                yield Finding(number, f"link to {link}, which is not there", "files and folders of the repository")

    def all(self):
        return [rule for name in vars(Rules) if not name.startswith("_") and name != "all"
                for rule in [getattr(self, name)]]


def list_files(root):
    """Files of the repository, new ones included; of any other folder, all."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.splitlines()
    else:
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, files in os.walk(root) for name in files]
    return sorted(name for name in set(names) if os.path.isfile(os.path.join(root, name)))


def read(root, path):
    try:
        return pathlib.Path(root, path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def arrows_drawn(text):
    """(line, from, to) of the mermaid picture; None without one."""
    block = re.search(r"^```mermaid\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if block is None:
        return None
    first = text.count("\n", 0, block.start(1)) + 1
    return [(first + n, match[1], match[2]) for n, line in enumerate(block[1].split("\n"))
            if (match := re.match(r"\s*(\w+)(?:\[[^\]]*\])? --> (\w+)", line))]


def arrows_found(sources, paths):
    headers = public_headers(paths)
    return {(source.room, Source(target, "").room) for source in sources if source.room
            for _, _, target in included(source, headers, set(paths))}


def led_to(room, arrows):
    """The room and all that arrows lead to from it."""
    seen, new = set(), {room}
    while new:
        seen |= new
        new = {to for _, begin, to in arrows if begin in seen} - seen
    return seen


def the_picture_is_the_code(text, found):
    """What is drawn and what rooms may use and do use are one."""
    drawn = arrows_drawn(text)
    if drawn is None:
        yield Finding(1, "no picture of the rooms", "a mermaid graph with lines 'room --> room'")
        return
    for line, begin, to in drawn:
        if begin not in MAY_USE or to not in MAY_USE:
            yield Finding(line, f"arrow {begin} --> {to}", f"the rooms are {', '.join(MAY_USE)}")
        elif (begin, to) not in found:
            yield Finding(line, f"arrow {begin} --> {to}, which no include takes", "arrows of the code")
    for room, may_use in MAY_USE.items():
        if (leads := led_to(room, drawn)) != may_use:
            yield Finding(drawn[0][0] if drawn else 1, f"arrows lead from {room} to {', '.join(sorted(leads - {room})) or 'nothing'}",
                          f"{', '.join(sorted(may_use - {room})) or 'nothing'} (MAY_USE in scripts/rooms.py)")


def check_rules(root):
    paths = list_files(root)
    sources = [Source(path, read(root, path)) for path in paths]
    rules = Rules(paths).all()
    if PICTURE in paths:
        for finding in the_picture_is_the_code(read(root, PICTURE), arrows_found(sources, paths)):
            yield f"{PICTURE}:{finding.line}: {finding.found}; allowed: {finding.allowed} [the_picture_is_the_code]"
    for source in sources:
        path = source.path
        for rule in rules:
            for finding in rule(source):
                yield f"{path}:{finding.line}: {finding.found}; allowed: {finding.allowed} [{rule.__name__}]"


def compile_alone(compiler, root, path, includes):
    name = re.search(r"/include/(yoke/.+)$", path)[1]
    has_vendor = name == ALIAS_HEADER and os.path.isdir(CUDA)
    vendor = ["-isystem", CUDA, "-DYOKE_GPU_CUDA=1"] if has_vendor else []
    command = [compiler, "-std=c++20", "-fopenmp", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion",
               "-Wno-sign-conversion", "-Werror", *(f"-I{root}/{folder}" for folder in includes), *vendor, "-x", "c++", "-"]
    done = subprocess.run(command, input=f"#include <{name}>\n", capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    return f"{path}:1: does not compile alone; allowed: what it includes itself [headers]\n{done.stderr.rstrip()}"


def check_headers(root, compiler):
    headers = public_headers(list_files(root)).values()
    folders = {}
    for path in headers:
        folders.setdefault(Source(path, "").room, set()).add(path[:path.index("/include/") + len("/include")])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for path in headers:
            rooms = MAY_USE.get(Source(path, "").room, set())
            includes = sorted(folder for room in rooms for folder in folders.get(room, ()))
            jobs.append(pool.submit(compile_alone, compiler, root, path, includes))
        yield from filter(None, (job.result() for job in jobs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headers", action="store_true", help="compile each public header alone instead")
    parser.add_argument("--root", default=str(ROOT))
    parser.add_argument("--compiler", default="clang++-19")
    options = parser.parse_args()
    check = check_headers(options.root, options.compiler) if options.headers else check_rules(options.root)
    count = 0
    for count, finding in enumerate(check, 1):
        print(finding)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
