"""scripts/timed_compiler.sh tells what a compiler took and hands on the rest; scripts/build_times.py adds it up by room."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import build_times  # noqa: E402

LOG = """1.50 0.25 base/CMakeFiles/yoke_base.dir/src/clock.cpp.o
a warning of the compiler
10.00 1.00 tests/arrays/CMakeFiles/arrays_tests.dir/grid_test.cpp.o
2.00 0.25 base/CMakeFiles/yoke_base.dir/src/text.cpp.o
0.50 0.00 benchmarks/npb-mz/driver/CMakeFiles/npb_driver.dir/Unity/unity_0_cxx.cxx.o
0.25 0.00 CMakeFiles/yoke_headers_rooms.dir/cmake_pch.hxx.pch
"""


class BuildTimes(unittest.TestCase):
    def test_seconds_are_added_up_by_room(self):
        lines = build_times.table(build_times.read(LOG)).splitlines()
        self.assertEqual(lines[1].split(), ["11.0", "1", "tests/arrays"])
        self.assertEqual(lines[2].split(), ["4.0", "2", "base"])
        self.assertEqual(lines[3].split(), ["0.5", "1", "benchmarks/npb-mz"])
        self.assertEqual(lines[5].split(), ["15.8", "5", "compiling,", "in", "all"])
        self.assertEqual(lines[8].split(), ["11.0", "tests/arrays/arrays_tests.dir/grid_test.cpp.o"])

    def test_a_compiler_is_called_as_it_is_and_its_time_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "times")
            script = "echo said; echo complained >&2; i=0; while ((i++ < 20000)); do :; done; exit 3"
            done = subprocess.run([SCRIPTS / "timed_compiler.sh", "bash", "-c", script, "cc", "-o", "room/CMakeFiles/a.dir/b c.o"],
                                  env=dict(os.environ, BUILD_TIMES=str(log)), capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "said\n", "complained\n"))
            user, _, *name = log.read_text().split(" ")
            self.assertGreater(float(user), 0)
            self.assertEqual(" ".join(name), "room/CMakeFiles/a.dir/b c.o\n")

    def test_a_log_without_times_is_refused_by_name(self):
        for path, why in (("/nowhere/times", "No such file"), ("/dev/null", "no line of")):
            done = subprocess.run([sys.executable, SCRIPTS / "build_times.py", "--read", path], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"--read {path}: ", done.stderr)
            self.assertIn(why, done.stderr)


if __name__ == "__main__":
    unittest.main()
