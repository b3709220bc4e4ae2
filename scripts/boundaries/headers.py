"""Whether each public header compiles alone."""

import concurrent.futures
import os
import re
import subprocess

from boundaries.layout import ALIAS_HEADER, MAY_USE
from boundaries.source import Source, list_files, public_headers

COMPILER = "clang++-19"
CUDA = "/usr/local/cuda/include"


def compile_alone(root, path, includes):
    name = re.search(r"/include/(yoke/.+)$", path)[1]
    has_vendor = name == ALIAS_HEADER and os.path.isdir(CUDA)
    vendor = ["-isystem", CUDA, "-DYOKE_GPU_CUDA=1"] if has_vendor else []
    command = [COMPILER, "-std=c++20", "-fopenmp", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion",
               "-Wno-sign-conversion", "-Werror", *(f"-I{root}/{folder}" for folder in includes), *vendor, "-x", "c++", "-"]
    done = subprocess.run(command, input=f"#include <{name}>\n", capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    return f"{path}:1: does not compile alone; allowed: what it includes itself [headers]\n{done.stderr.rstrip()}"


def check_headers(root):
    headers = public_headers(list_files(root)).values()
    folders = {}
    for path in headers:
        folders.setdefault(Source(path, "").room, set()).add(path[:path.index("/include/") + len("/include")])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for path in headers:
            rooms = MAY_USE.get(Source(path, "").room, set())
            includes = sorted(folder for room in rooms for folder in folders.get(room, ()))
            jobs.append(pool.submit(compile_alone, root, path, includes))
        yield from filter(None, (job.result() for job in jobs))
