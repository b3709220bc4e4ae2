"""The rooms, where they lie and what each may use."""

import re

# Folder of each room, longest first; tests see everything, so they are no room.
FOLDERS = {
    "docs/examples": "examples",
    "benchmarks": "benchmarks",
    "scheduling": "scheduling",
    "placement": "placement",
    "versions": "versions",
    "devices": "devices",
    "runtime": "runtime",
    "arrays": "arrays",
    "tools": "tools",
    "engine": "engine",
    "tasks": "tasks",
    "zones": "zones",
    "flow": "flow",
    "base": "base",
    "mpi": "mpi",
    "cu": "cu",
}
# Every other folder in devices is a backend.
BACKEND = re.compile(r"devices/(?!include/|src/)[^/]+/")
CORE = {"base", "versions", "devices", "cu", "placement", "scheduling", "runtime"}
# What decides and does nothing: no device, thread, clock or environment.
PURE = ("scheduling", "versions", "flow")
PUBLIC = CORE | {"arrays", "flow", "engine", "tasks", "zones", "mpi"}
MAY_USE = {
    "base": {"base"},
    "versions": {"base", "versions"},
    "flow": {"base", "versions", "flow"},
    "engine": CORE | {"flow", "engine"},
    "devices": {"base", "devices"},
    "backends": {"base", "devices", "backends"},
    "cu": {"base", "devices", "cu"},
    "placement": {"base", "versions", "devices", "cu", "placement"},
    "scheduling": {"base", "scheduling"},
    "runtime": CORE,
    "arrays": CORE | {"arrays"},
    "tasks": CORE | {"flow", "engine", "tasks"},
    "zones": CORE | {"flow", "engine", "zones"},
    "mpi": CORE | {"flow", "engine", "zones", "mpi"},
    "benchmarks": PUBLIC | {"benchmarks"},
    "examples": PUBLIC | {"examples"},
    "tools": CORE | {"tools"},
}
# The rooms of the NPB-MZ driver, and those that each may use.
DRIVER = "benchmarks/npb-mz/driver/"
DRIVER_USES = {
    "run": {"zoned", "march", "gpu", "host", "step", "faces"},
    "zoned": {"gpu", "step", "faces"},
    "march": {"gpu", "host", "step", "faces"},
    "gpu": {"step", "faces"},
    "host": {"step", "faces"},
    "step": {"faces"},
    "faces": set(),
}
# Folders in the sources of a room, the lowest first: each uses those before it, and files beside them.
STOREYS = {
    "scheduling/src/": ["maps", "speeds", "sharing", "dealing", "sizes", "learning", "binding", "simulator"],
    "arrays/src/": ["shapes", "memory", "halos", "moves", "loops", "recording"],
}
# Of a file, comments and blank lines with them.
MAX_LINES = 300
# Of the sources of tests, those that include a header that is neither public nor a test's.
MOST_WHITE_BOX = 0.2
# Draws the rooms and their arrows; a room may use all that its arrows lead to.
PICTURE = "docs/design.md"
# The one header of the backends that user kernels include.
ALIAS_HEADER = "yoke/gpu.hpp"


def room_of(path):
    if BACKEND.match(path):
        return "backends"
    return next((room for folder, room in FOLDERS.items() if path.startswith(folder + "/")), None)
