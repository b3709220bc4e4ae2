#!/usr/bin/env python3
"""Machines that somebody has, from recordings of their /sys and /proc.

recorded.py HWLOC    HWLOC: the sources of hwloc (July 2026 or later), whose tests/hwloc/linux has the recordings

lstopo reads each; what names an owner, a board or a system is left out. Written into the folder `recorded` beside
this file, as NAME.xml.
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

# Ours: hwloc's name, and why it is here.
MACHINES = {
    "alder-lake": "20em64t-hybrid-1p6c2t+2ca4co1t",  # cores of two kinds, some with two threads
    "gb10": "nvidia-dgx-gb10",  # Arm cores of several kinds in turn
    "opteron-4": "64amd64-4s2n4ca2co",  # two NUMA nodes a socket
    "opteron-sparse": "48amd64-4pa2n6c-sparse",  # numbers of NUMA nodes with holes
    "power9-gpu-memory": "nvidiagpunumanodes",  # memory of GPUs beside that of the host; three spaces of PCI numbers
    "westmere-4": "40intel64-2g2n4c+pcilocality",  # graphics and network cards that compute nothing
}
KEPT = {"hwlocVersion", "CPUModel", "FrequencyMaxMHz", "LinuxCapacity", "Architecture", "PCIVendor", "PCIDevice"}


def lstopo(recording):
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(recording) as packed:
            packed.extractall(folder, filter="data")
        (root,) = pathlib.Path(folder).iterdir()
        environment = os.environ | {"HWLOC_FSROOT": str(root), "HWLOC_COMPONENTS": "linux,linuxio,stop"}
        command = ["lstopo-no-graphics", "--no-icaches", "--of", "xml"]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def without_owner(text):
    is_kept = lambda line: "page_type" not in line and ((info := re.search(r'<info name="(\w+)"', line)) is None or info[1] in KEPT)
    return "".join(line for line in text.splitlines(keepends=True) if is_kept(line))


def main():
    if len(sys.argv) != 2 or not (recordings := pathlib.Path(sys.argv[1]) / "tests/hwloc/linux").is_dir():
        sys.exit(__doc__)
    folder = pathlib.Path(__file__).resolve().parent / "recorded"
    folder.mkdir(exist_ok=True)
    for name, theirs in MACHINES.items():
        text = without_owner(lstopo(recordings / f"{theirs}.tar.bz2"))
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
