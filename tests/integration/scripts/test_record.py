"""Scripts that measure write where, of what and with which settings."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import record  # noqa: E402

# Prints a rate as NPB does, and with --json FILE what it records.
PROGRAM = """#!/usr/bin/env python3
import json, sys
print("Mop/s total = {rate}\\nVerification = SUCCESSFUL")
if "--json" in sys.argv:
    json.dump({{"record": {{"commit": "{commit}", "command": sys.argv}}}}, open(sys.argv[-1], "w"))
"""


class TheRecord(unittest.TestCase):
    def test_of_a_script_it_has_what_a_program_records(self):
        found = record.of_script()
        self.assertLessEqual({"commit", "command", "time", "host", "variables"}, set(found))
        self.assertEqual(set(found["host"]), {"cpu", "cpus", "cpus_online", "load"})

    def test_a_folder_that_is_no_clone_has_no_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(record.commit(folder), "unknown")

    def test_a_file_without_a_record_has_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "run.json")
            self.assertIsNone(record.of_program(path))
            path.write_text('{"mops": 1}', encoding="utf-8")
            self.assertIsNone(record.of_program(path))


class Compare(unittest.TestCase):
    def test_the_json_has_the_records_of_machine_and_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            programs = []
            for name, rate in (("sp-mz", 300), ("sp-mz.A.x", 100)):
                programs.append(pathlib.Path(folder, name))
                programs[-1].write_text(PROGRAM.format(rate=rate, commit="abc"), encoding="utf-8")
                programs[-1].chmod(0o755)
            out = pathlib.Path(folder, "out.json")
            subprocess.run([SCRIPTS / "compare.py", "-n", "2", "--json", out, "--env-b", "OMP_NUM_THREADS=2",
                            f"{programs[0]} --class A", str(programs[1])], check=True, capture_output=True)
            found = json.loads(out.read_text(encoding="utf-8"))
        self.assertEqual((found["median_ratio"], found["pairs"]), (3, [[300, 100]] * 2))
        self.assertEqual(found["environment_b"], {"OMP_NUM_THREADS": "2"})
        self.assertEqual(found["records"]["a"]["commit"], "abc")
        self.assertEqual(found["records"]["a"]["command"], ["sp-mz", "--class", "A"])
        self.assertIsNone(found["records"]["b"])
        self.assertIn("load", found["record"]["host"])


if __name__ == "__main__":
    unittest.main()
