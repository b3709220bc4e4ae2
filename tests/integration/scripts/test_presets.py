"""The preset for many NVIDIA GPUs has code for those that docs/guide/gpus.md names; configured where nvcc is."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")


def architectures():
    """("80-real", …, "100") of the preset."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    preset = next(each for each in presets if each["name"] == "cuda-all")
    return preset["cacheVariables"]["CMAKE_CUDA_ARCHITECTURES"].split(";")


class CudaAll(unittest.TestCase):
    def test_it_has_the_gpus_that_the_guide_names(self):
        guide = (ROOT / "docs/guide/gpus.md").read_text(encoding="utf-8")
        named = re.search(r"`cuda-all`[^\d\n]*([\d, and]+) \(", guide)[1]
        self.assertEqual([each.removesuffix("-real") for each in architectures()], re.findall(r"\d+", named))

    def test_the_last_one_has_ptx_for_what_comes_later_and_no_other(self):
        self.assertEqual([each.endswith("-real") for each in architectures()], [True] * (len(architectures()) - 1) + [False])

    def test_nvcc_is_asked_for_code_of_each(self):
        if NVCC is None:
            print("[skipped] the preset cuda-all: no nvcc here")
            return
        with tempfile.TemporaryDirectory() as build:
            environment = {**os.environ, "CUDACXX": NVCC}
            done = subprocess.run(["cmake", "--preset", "cuda-all", "-B", build, "-DYOKE_BUILD_TESTS=OFF", "-DYOKE_BUILD_BENCHMARKS=OFF"],
                                  cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            asked = pathlib.Path(build, "build.ninja").read_text(encoding="utf-8")
        for each in architectures():
            self.assertIn(f"sm_{each.removesuffix('-real')}", asked)


if __name__ == "__main__":
    unittest.main()
