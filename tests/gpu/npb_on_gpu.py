#!/usr/bin/env python3
"""An NPB-MZ program on a real GPU: classes S, W and A are verified, with the bits that the CPUs give.

npb_on_gpu.py cuda|hip PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from clean import without_settings  # noqa: E402


def run(program, letter, cus, devices, path, way="direct"):
    environment = without_settings()
    done = subprocess.run([program, "--class", letter, "--cus", cus, "--devices", devices, "--peer-faces", way, "--quiet", "--json", path],
                          capture_output=True, text=True, env=environment, timeout=300, check=False)
    if "no such device" in done.stderr and cus == "+2":
        return None
    if "no such device" in done.stderr:
        print(f"[skipped] {done.stderr.strip()} [all skipped]")
        sys.exit(0)
    assert done.returncode == 0, f"{program} {letter} {cus}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    vendor, program = sys.argv[1:]
    cpus = len(os.sched_getaffinity(0))
    hybrid = [f"{cpus // 2 - 1}x2+1"] if cpus >= 4 else []  # threads may be two to a core
    with tempfile.TemporaryDirectory() as folder:
        for letter in "SWA":
            norms = {}
            for cus in ["+1", *hybrid, "1x1"]:
                result = run(program, letter, cus, f"{vendor}:0" if "+" in cus else "none", os.path.join(folder, "r"))
                assert result["verification"] == "SUCCESSFUL", result["verification"]
                norms.setdefault(json.dumps(result["norms"]), []).append(cus)
                print(f"{letter} {cus}: verified, {result['mops']:.0f} Mop/s")
            for way in ("direct", "host"):
                result = run(program, letter, "+2", f"{vendor}:0,1", os.path.join(folder, "r"), way)
                if result is None:
                    print("[skipped] a second GPU")
                    break
                norms.setdefault(json.dumps(result["norms"]), []).append(f"+2 {way}")
            assert len(norms) == 1, norms


if __name__ == "__main__":
    main()
