"""The recipes of packaging/ fit the project: options, dependencies, places. Neither Spack nor Docker is needed."""

import pathlib
import re
import runpy
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPOSITORY = ROOT / "packaging/spack/spack_repo/yoke"
RECIPE = REPOSITORY / "packages/yoke/package.py"


class Spec:
    """A spec with some variants."""

    def __init__(self, *variants):
        self.has = variants
        self.variants = {name: types.SimpleNamespace(value=("90",)) for name in ("cuda_arch", "amdgpu_target")}

    def satisfies(self, variant):
        return variant in self.has


class Package:
    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return f"-D{name}={variant in self.spec.has}"


def recipe():
    """The class, and what its directives were called with; Spack's modules are stood in for."""
    told = []
    names = "license version variant depends_on requires conflicts generator which".split()
    api = types.ModuleType("spack.package")
    for name in names:
        setattr(api, name, lambda *given, _name=name, **named: told.append((_name, given, named)))
    modules = {"spack": types.ModuleType("spack"), "spack.package": api}
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[name] = types.ModuleType(name)
    for system, base in (("cmake", "CMakePackage"), ("cuda", "CudaPackage"), ("rocm", "ROCmPackage")):
        modules[f"spack_repo.builtin.build_systems.{system}"] = module = types.ModuleType(system)
        setattr(module, base, type(base, (Package,), {}))
    sys.modules.update(modules)
    return runpy.run_path(str(RECIPE))["Yoke"], told


class Spack(unittest.TestCase):
    def setUp(self):
        self.package, self.told = recipe()

    def arguments(self, *variants):
        made = self.package()
        made.spec = Spec(*variants)
        return made.cmake_args()

    def test_the_repository_has_the_version_of_the_interface_that_the_imports_are_of(self):
        self.assertRegex((REPOSITORY / "repo.yaml").read_text(encoding="utf-8"), r"namespace: yoke\n  api: v2\.")

    def test_each_option_is_one_of_the_project(self):
        known = set(re.findall(r"(?:option|set)\((YOKE_\w+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")))
        known |= {"CMAKE_CUDA_ARCHITECTURES", "CMAKE_HIP_ARCHITECTURES"}
        for variants in ((), ("tools",), ("+cuda",), ("+rocm",)):
            given = {argument[2:].split("=")[0] for argument in self.arguments(*variants)}
            self.assertTrue(given)
            self.assertLessEqual(given, known)
        self.assertIn("-DYOKE_GPU=cuda", self.arguments("+cuda"))
        self.assertIn("-DYOKE_GPU=hip", self.arguments("+rocm"))

    def test_the_source_is_the_working_copy(self):
        self.assertEqual(self.package.git, ROOT.as_uri())

    def test_cmake_is_as_new_as_the_project_wants(self):
        wanted = re.search(r"VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertIn(("depends_on", (f"cmake@{wanted}:",), {"type": "build"}), self.told)


class Docker(unittest.TestCase):
    text = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8")

    def test_it_has_what_setup_installs_for_a_build_without_tests(self):
        setup = (ROOT / "scripts/setup.sh").read_text(encoding="utf-8")
        needs = {need.split(":")[0] for need in re.search(r"build_needs=\((.*?)\)", setup, re.DOTALL)[1].split()}
        of_tests = {"catch2", "libbenchmark-dev", "libclang-rt-19-dev"}
        installed = set(re.search(r"--no-install-recommends (.*?)&&", self.text, re.DOTALL)[1].replace("\\\n", " ").split())
        self.assertEqual(installed - {"ca-certificates"}, needs - of_tests)

    def test_what_it_runs_is_there(self):
        self.assertTrue((ROOT / "packaging/test_install.sh").exists())
        for option in re.findall(r"-D(\w+)=", self.text):
            self.assertIn(option, (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
