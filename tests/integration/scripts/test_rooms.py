"""Every rule of scripts/rooms.py finds what it forbids and leaves alone what it allows."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import rooms  # noqa: E402

# Headers that other files include, and tests beside which one more may include private ones.
TREE = {
    **{f"tests/cu/t{i}.cpp": "" for i in range(4)},
    "base/include/yoke/ids.hpp": "#pragma once\n",
    "cu/include/yoke/cu.hpp": "#pragma once\n#include <yoke/ids.hpp>\n",
    "placement/include/yoke/placement.hpp": "#pragma once\n#include <yoke/cu.hpp>\n",
    "placement/src/table.hpp": "#pragma once\n",
    "devices/gpu/include/yoke/gpu.hpp": "#pragma once\n",
    "devices/include/yoke/backends.hpp": "#pragma once\n",
    "devices/emulated/include/yoke/emulated.hpp": "#pragma once\n",
}

MARK = "TO" "DO"
HOME = "/home" "/ann"

# rule: [(path, text, line of the finding)]
FORBIDDEN = {
    "rooms_use_only_lower_rooms": [
        ("base/src/a.cpp", "#include <vector>\n#include <yoke/cu.hpp>\n", 2),
        ("cu/src/a.cpp", "#include <yoke/placement.hpp>\n", 1),
        ("scheduling/src/a.cpp", "/* why\n*/\n#include <yoke/placement.hpp>\n", 3),
        ("scheduling/src/a.cpp", '#include "../../placement/src/table.hpp"\n', 1),
        ("runtime/src/a.cpp", '#include "../../placement/src/table.hpp"\n', 1),
        ("base/src/a.cpp", "#include <yoke/gpu.hpp>\n", 1),
        ("benchmarks/kernels/a.cpp", "#include <yoke/emulated.hpp>\n", 1),
        ("cu/src/a.cpp", "#include <yoke/emulated.hpp>\n", 1),
        ("devices/src/a.cpp", "#include <yoke/emulated.hpp>\n", 1),
        ("devices/toy/src/a.cpp", "#include <yoke/cu.hpp>\n", 1),
        ("base/src/a.cpp", "#include <yoke/backends.hpp>\n", 1),
        ("docs/examples/a.cpp", '#include "../../placement/src/table.hpp"\n', 1),
    ],
    "programs_include_no_detail": [
        ("benchmarks/kernels/a.cpp", "#include <yoke/detail/loop.hpp>\n", 1),
        ("docs/examples/a.cpp", "#include <vector>\n#include <yoke/detail/loop.hpp>\n", 2),
    ],
    "storeys_use_only_lower_ones": [
        ("scheduling/src/maps/a.cpp", '#include "../../src/kinds.hpp"\n#include "../learning/drift.hpp"\n', 2),
        ("arrays/src/halos/a.hpp", '#include "../loops/loop_parts.hpp"\n', 1),
        ("arrays/src/attic/a.hpp", "", 1),
    ],
    "the_driver_uses_only_its_lower_rooms": [
        ("benchmarks/npb-mz/driver/step/a.cpp", '#include "driver/run/options.hpp"\n', 1),
        ("benchmarks/npb-mz/driver/host/a.cpp", '#include "a.hpp"\n#include "driver/gpu/device_plan.hpp"\n', 2),
    ],
    "vendor_headers_stay_in_the_gpu_backend": [
        ("runtime/src/a.cpp", "#include <cuda_runtime.h>\n", 1),
        ("benchmarks/kernels/a.cpp", "#include <hip/hip_runtime.h>\n", 1),
        ("tests/base/a.cpp", "\n#  include <cub/cub.cuh>\n", 2),
    ],
    "vendor_macros_have_two_homes": [
        ("arrays/include/yoke/a.hpp", "#if defined(__CUDACC__)\n#endif\n", 1),
        ("benchmarks/kernels/a.cpp", "\n#ifdef __HIP_DEVICE_COMPILE__\n#endif\n", 2),
    ],
    "kernels_do_not_ask_for_the_vendor": [
        ("devices/include/yoke/a.hpp", "#if YOKE_CUDA_PASS\n#endif\n", 1),
        ("arrays/include/yoke/a.hpp", "\nconstexpr int n = YOKE_FOR_AMD ? 64 : 32;\n", 2),
        ("benchmarks/kernels/a.cpp", "constexpr int n = YOKE_FOR_AMD ? 64 : 32;\n", 1),
    ],
    "no_kernel_counts_on_lanes": [
        ("benchmarks/kernels/a.cpp", "double s = __shfl_down_sync(all, x, 16);\n", 1),
        ("base/include/yoke/a.hpp", "\nint lane = threadIdx.x % warpSize;\n", 2),
    ],
    "rooms_that_decide_are_pure": [
        ("versions/src/a.cpp", "#include <thread>\n", 1),
        ("scheduling/schedules/a.cpp", "#include <vector>\n#include <chrono>\n", 2),
        ("scheduling/src/a.cpp", "std::jthread helper;\n", 1),
    ],
    "mpi_has_one_home": [
        ("zones/src/a.cpp", "#include <mpi.h>\n", 1),
        ("tools/src/a.cpp", "int f() {\n  return MPI_Barrier(0);\n}\n", 2),
    ],
    "hwloc_has_one_home": [
        ("base/src/topology.cpp", "\n#include <hwloc.h>\n", 2),
        ("base/src/a.cpp", "#include <hwloc.h>\n", 1),
        ("cu/src/a.cpp", "int f() {\n  return hwloc_get_nbobjs();\n}\n", 2),
    ],
    "the_environment_stays_in_settings": [
        ("cu/src/a.cpp", 'auto x = std::getenv("A");\n', 1),
        ("benchmarks/kernels/a.cpp", 'void f() {\n  setenv("A", "1", 1);\n}\n', 2),
        ("runtime/src/a.cpp", "extern char** environ;\n", 1),
    ],
    "json_has_one_home": [("tools/src/a.cpp", "int x;\nauto text = all.dump(2);\n", 2)],
    "results_have_one_writer": [
        ("tools/src/a.cpp", "std::ofstream file{path};\n", 1),
        ("benchmarks/kernels/a.cpp", 'auto* file = std::fopen("a", "w");\n', 1),
    ],
    "openmp_entry_points_stay_in_openmp": [
        ("runtime/src/a.cpp", "#include <omp.h>\n", 1),
        ("placement/src/a.cpp", "int t = 1'000 + omp_get_thread_num();\n", 1),
        ("cu/src/a.cpp", "void f() { kmp_set_defaults(0); }\n", 1),
    ],
    "conformance_sees_public_headers_alone": [
        ("tests/conformance/a_test.cpp", '#include "../../placement/src/table.hpp"\n', 1),
        ("tests/conformance/a_test.cpp", '#include <yoke/ids.hpp>\n#include "src/table.hpp"\n', 2),
    ],
    "files_stay_short": [
        ("cu/src/a.cpp", "int x;\n// why\n\n" * 100 + "int y;\n", 1),
        ("tests/cu/a.cpp", "int x;\n" * 301, 1),
        ("scripts/a.sh", "true\n" * 301, 1),
    ],
    "no_private_paths": [
        ("docs/a.md", f"See\n`{HOME}/notes.txt`\n", 2),
        ("cu/src/a.cpp", f"// from {HOME}/x\n", 1),
    ],
    "no_unfinished_marks": [
        ("cu/src/a.cpp", f"int x;\n// {MARK}: more\n", 2),
        ("scripts/a.sh", f"# {MARK} later\n", 1),
    ],
    "links_resolve": [("docs/a.md", "[one](../cu)\n[two](gone.md#part)\n", 2)],
}

ALLOWED = [
    ("cu/src/a.cpp", "#include <yoke/ids.hpp>\n// #include <yoke/placement.hpp>\n"),
    ("placement/src/a.cpp", '#include "table.hpp"\n#include <yoke/cu.hpp>\n'),
    ("runtime/src/a.cpp", "#include <yoke/placement.hpp>\n#include <yoke/backends.hpp>\n"),
    ("scheduling/src/learning/a.cpp", '#include "../kinds.hpp"\n#include "../maps/cuts.hpp"\n#include "drift.hpp"\n'),
    ("benchmarks/npb-mz/driver/gpu/a.cpp", '#include "driver/step/step_run.hpp"\n#include "common/solver.hpp"\n'),
    ("benchmarks/kernels/a.cpp", "#include <yoke/gpu.hpp>\n#include <yoke/placement.hpp>\n"),
    ("tests/placement/a.cpp", '#include "../../placement/src/table.hpp"\nauto x = getenv("A") + omp_get_level();\n'),
    ("devices/gpu/src/a.cpp", "#include <cuda_runtime.h>\n"),
    ("tests/support/fake-hip/a.cpp", "#include <hip/hip_runtime_api.h>\n"),
    ("mpi/src/a.cpp", "#include <mpi.h>\nint x = MPI_Barrier(0);\n"),
    ("base/src/topology_hwloc.cpp", "#include <hwloc.h>\nint x = hwloc_get_api_version();\n"),
    ("scheduling/src/a.cpp", "#include <random>\nstd::mt19937_64 random{seed};\n// std::thread\n"),
    ("base/src/settings.cpp", 'auto x = getenv("A");\n'),
    ("tests/tools/a.cpp", "std::ofstream{path} << all.dump(2);\nstd::ifstream file{path};\n"),
    ("cu/src/a.cpp", "// getenv, hwloc_init, omp_get_num_threads()\nconst char* x = \"getenv\";\nint environment, omp_places;\n"),
    ("cu/src/openmp.cpp", "#include <omp.h>\nint x = omp_get_level();\n"),
    ("benchmarks/kernels/a.cpp", "#include <omp.h>\nint x = omp_get_thread_num();\n"),
    ("docs/examples/a.cpp", "#include <omp.h>\n#pragma omp parallel\n"),
    ("cu/src/a.cpp", "int x;\n" * 300),
    ("docs/a.md", "words\n" * 301),
    ("docs/a.md", "https://example.org/home/ann, ~/x, $HOME/home/ann, /usr/lib/x, [a](../cu/src/) [b](https://example.org)\n"),
]


def run_on(files, *arguments):
    """What the script says about a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for name, content in files.items():
            file = pathlib.Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPTS / "rooms.py", "--root", root, *arguments],
                              capture_output=True, text=True, check=False)


def run(path, text, *arguments):
    """What it says about TREE with one more file."""
    return run_on({**TREE, "cu/src/current.cpp": "", path: text}, *arguments)


class TheRules(unittest.TestCase):
    def test_every_rule_has_an_example_of_what_it_forbids(self):
        self.assertEqual({rule.__name__ for rule in rooms.Rules([]).all()}, set(FORBIDDEN))

    def test_what_is_forbidden_is_reported_with_file_line_and_what_is_allowed(self):
        for rule, examples in FORBIDDEN.items():
            for path, text, line in examples:
                with self.subTest(rule=rule, path=path):
                    done = run(path, text)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertRegex(done.stdout, rf"^{path}:{line}: .+; allowed: .+ \[{rule}\]\n$")

    def test_what_is_allowed_is_not_reported(self):
        for path, text in ALLOWED:
            with self.subTest(path=path, text=text[:40]):
                done = run(path, text)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


# Every arrow that may be drawn, with a file that takes it.
TAKEN = {
    "devices/src/a.cpp": "#include <yoke/ids.hpp>\n",
    "devices/emulated/src/a.cpp": "#include <yoke/backends.hpp>\n",
    "cu/src/a.cpp": "#include <yoke/backends.hpp>\n",
    "placement/src/a.cpp": "#include <yoke/mark.hpp>\n",
    "scheduling/src/a.cpp": "#include <yoke/ids.hpp>\n",
    "scheduling/include/yoke/schedule.hpp": "#pragma once\n",
    "versions/include/yoke/mark.hpp": "#pragma once\n#include <yoke/ids.hpp>\n",
    "runtime/include/yoke/runtime.hpp": "#pragma once\n#include <yoke/placement.hpp>\n#include <yoke/schedule.hpp>\n",
    "arrays/include/yoke/array.hpp": "#pragma once\n#include <yoke/runtime.hpp>\n",
    "flow/include/yoke/work.hpp": "#pragma once\n#include <yoke/mark.hpp>\n",
    "engine/src/a.cpp": "#include <yoke/work.hpp>\n#include <yoke/runtime.hpp>\n",
    "engine/include/yoke/engine.hpp": "#pragma once\n",
    "tasks/src/a.cpp": "#include <yoke/engine.hpp>\n",
    "tasks/include/yoke/task_group.hpp": "#pragma once\n",
    "zones/src/a.cpp": "#include <yoke/engine.hpp>\n",
    "zones/include/yoke/zones.hpp": "#pragma once\n",
    "mpi/src/a.cpp": "#include <yoke/zones.hpp>\n#include <yoke/ids.hpp>\n",
    "mpi/include/yoke/mpi_ranks.hpp": "#pragma once\n",
    "benchmarks/a.cpp": "#include <yoke/array.hpp>\n#include <yoke/task_group.hpp>\n#include <yoke/mpi_ranks.hpp>\n",
    "docs/examples/a.cpp": "#include <yoke/array.hpp>\n#include <yoke/task_group.hpp>\n#include <yoke/zones.hpp>\n"
                       "#include <yoke/mpi_ranks.hpp>\n",
    "tools/src/a.cpp": "#include <yoke/runtime.hpp>\n",
}
DRAWN = ["devices --> base", 'backends["emulated, gpu"] --> devices', "cu --> devices", "placement --> cu", "scheduling --> base",
         "runtime --> placement", "runtime --> scheduling", "benchmarks --> arrays", "examples --> arrays", "tools --> runtime",
         "arrays --> runtime", "versions --> base", "placement --> versions", "flow --> versions", "engine --> flow",
         "engine --> runtime", "benchmarks --> tasks", "examples --> tasks", "tasks --> engine",
         "examples --> zones", "zones --> engine", "mpi --> zones", "examples --> mpi", "benchmarks --> mpi"]


def picture(arrows):
    return "# Design\n\n```mermaid\ngraph TD\n" + "".join(f"  {arrow}\n" for arrow in arrows) + "```\n"


class ThePicture(unittest.TestCase):
    def said(self, text, without=()):
        files = {**TREE, **TAKEN, "docs/design.md": text}
        return run_on({path: content for path, content in files.items() if path not in without}).stdout

    def test_arrows_as_in_the_code_pass(self):
        self.assertEqual(self.said(picture(DRAWN)), "")

    def test_an_arrow_that_is_missing_is_reported(self):
        self.assertIn("docs/design.md:5: arrows lead from runtime to base, cu, devices, placement, versions; "
                      "allowed: base, cu, devices, placement, scheduling, versions (MAY_USE",
                      self.said(picture(a for a in DRAWN if a != "runtime --> scheduling")))

    def test_an_arrow_too_many_is_reported(self):
        self.assertIn("arrows lead from scheduling to base, cu, devices; allowed: base (MAY_USE",
                      self.said(picture([*DRAWN, "scheduling --> cu"])))

    def test_an_arrow_that_no_include_takes_is_reported(self):
        self.assertIn("docs/design.md:13: arrow examples --> arrays, which no include takes",
                      self.said(picture(DRAWN), without=["docs/examples/a.cpp"]))

    def test_a_room_that_does_not_exist_is_reported(self):
        self.assertIn("docs/design.md:29: arrow attic --> base; allowed: the rooms are", self.said(picture([*DRAWN, "attic --> base"])))

    def test_a_design_without_a_picture_is_reported(self):
        self.assertIn("docs/design.md:1: no picture of the rooms", self.said("# Design\n"))


class TestsOfPrivateHeaders(unittest.TestCase):
    def said(self, white, others):
        files = {**TREE, "tests/support/own.hpp": "#pragma once\n"}  # five of tests
        files |= {f"tests/cu/w{i}.cpp": '#include "../../placement/src/table.hpp"\n' for i in range(white)}
        files |= {f"tests/cu/o{i}.cpp": '#include <yoke/cu.hpp>\n#include "../support/own.hpp"\n' for i in range(others)}
        return run_on(files).stdout

    def test_a_fifth_of_the_sources_of_tests_may_include_them(self):
        self.assertEqual(self.said(white=2, others=3), "")

    def test_more_are_reported_with_their_number(self):
        self.assertEqual(self.said(white=3, others=3), "tests:1: 3 of 11 sources include private headers; allowed: 20% of them "
                         "[most_tests_use_what_users_have]\n")


class HeadersAlone(unittest.TestCase):
    def test_a_header_that_lacks_an_include_is_reported(self):
        done = run("cu/include/yoke/places.hpp", "#pragma once\ninline std::string x;\n", "--headers")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cu/include/yoke/places.hpp:1: does not compile alone", done.stdout)

    def test_a_header_does_not_see_a_higher_room(self):
        done = run("cu/include/yoke/places.hpp", "#pragma once\n#include <yoke/placement.hpp>\n", "--headers")
        self.assertIn("'yoke/placement.hpp' file not found", done.stdout)

    def test_whole_headers_pass(self):
        done = run("cu/include/yoke/places.hpp", "#pragma once\n#include <yoke/ids.hpp>\n", "--headers")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
