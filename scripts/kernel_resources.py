#!/usr/bin/env python3
"""What the compiler says about the NPB-MZ kernels of the HIP build: registers, spills, memory on chip, waves.

kernel_resources.py [--build build/hip] [--spilling]      --spilling: only kernels that spill or use scratch

One line for each kernel and architecture; exits with 1 when nothing was found, or when vector registers spill. LDS counts static memory only: what a
launch asks for is added to it.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

FIELDS = {"VGPRs": "VGPRs", "AGPRs": "AGPRs", "SGPRs": "SGPRs", "ScratchSize [bytes/lane]": "scratch",
          "VGPRs Spill": "VGPR spills", "SGPRs Spill": "SGPR spills", "Occupancy [waves/SIMD]": "waves",
          "LDS Size [bytes/block]": "LDS"}
COLUMNS = ["VGPRs", "AGPRs", "SGPRs", "scratch", "VGPR spills", "SGPR spills", "waves", "LDS"]


def short_name(mangled):
    """npb::(anonymous namespace)::sweep_x<3> of the entry that runs it."""
    text = subprocess.run(["c++filt", mangled], capture_output=True, text=True, check=True).stdout.strip()
    text = text.replace("(anonymous namespace)::", "")
    found = re.search(r"run_(?:blocks_)?on_gpu<([\w:]+(?:<[^<>]*>)?)", text)
    return found[1] if found else text


def report(entry, architecture):
    """The remarks of one file for one architecture."""
    words = [word for word in shlex.split(entry["command"]) if not word.startswith("--offload-arch")]
    words[words.index("-o") + 1] = "/dev/null"
    words += [f"--offload-arch={architecture}", "--cuda-device-only", "-Rpass-analysis=kernel-resource-usage"]
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    kernels = []
    for field, value in re.findall(r"remark: [^\n]*?([A-Z][\w \[\]/]*): +(\S+) \[-Rpass", done.stderr):
        if field == "Function Name":
            kernels.append({"kernel": short_name(value)})
        elif field in FIELDS:
            kernels[-1][FIELDS[field]] = int(value)
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/hip")
    parser.add_argument("--spilling", action="store_true")
    options = parser.parse_args()
    commands = json.loads(pathlib.Path(options.build, "compile_commands.json").read_text(encoding="utf-8"))
    files = [entry for entry in commands if "--offload-arch" in entry["command"] and "/npb-mz/" in entry["file"]]
    print("| file | kernel | GPU | " + " | ".join(COLUMNS) + " |")
    print("| --- | --- | --- |" + " --- |" * len(COLUMNS))
    found = spilled = 0
    for entry in files:
        for architecture in re.findall(r"--offload-arch=(\w+)", entry["command"]):
            for kernel in report(entry, architecture):
                found += 1
                spilled += any(kernel.get(field, 0) for field in ("scratch", "VGPR spills"))
                spills = any(kernel.get(field, 0) for field in ("scratch", "VGPR spills", "SGPR spills"))
                if spills or not options.spilling:
                    values = " | ".join(str(kernel.get(column, 0)) for column in COLUMNS)
                    print(f"| {pathlib.Path(entry['file']).name} | {kernel['kernel']} | {architecture} | {values} |")
    if spilled:
        print(f"{spilled} kernels spill vector registers", file=sys.stderr)
    return 0 if found and not spilled else 1


if __name__ == "__main__":
    sys.exit(main())
