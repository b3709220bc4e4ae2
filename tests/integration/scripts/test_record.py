"""Scripts that measure write where, of what and with which settings."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

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

    def test_words_and_variables_that_are_no_text_are_written_by_their_bytes(self):
        with unittest.mock.patch.dict(os.environ, {"OMP_\udcff": "\udcfe"}), unittest.mock.patch.object(sys, "argv", ["a", "\udcff"]):
            found = record.of_script()
        self.assertEqual((found["command"], found["variables"][r"OMP_\xff"]), (["a", r"\xff"], r"\xfe"))
        self.assertNotIn("udc", json.dumps(found))

    def test_a_folder_that_is_no_clone_has_no_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(record.commit(folder), "unknown")

    def test_a_file_without_a_record_has_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "run.json")
            self.assertIsNone(record.of_program(path))
            path.write_text('{"mops": 1}', encoding="utf-8")
            self.assertIsNone(record.of_program(path))


def compare(*arguments):
    return subprocess.run([SCRIPTS / "compare.py", *arguments], capture_output=True, text=True, check=False)


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


class Baseline(unittest.TestCase):
    """What compare.py wrote of a program with 300 Mop/s, beside the same program later."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "before.json")
        self.program = pathlib.Path(folder.name, "sp-mz")
        self.has_rate(300)
        compare("-n", "3", "--json", self.file, f"{self.program} --class A", f"{self.program} --class A")

    def has_rate(self, rate):
        self.program.write_text(PROGRAM.format(rate=rate, commit="abc"), encoding="utf-8")
        self.program.chmod(0o755)

    def changes(self, change):
        found = json.loads(self.file.read_text(encoding="utf-8"))
        change(found)
        self.file.write_text(json.dumps(found), encoding="utf-8")

    def beside(self, *options, command="--class A"):
        return compare("-n", "1", "--baseline", self.file, *options, f"{self.program} {command}")

    def refused(self, *said, **how):
        done = self.beside(**how)
        self.assertEqual(done.returncode, 2, done.stdout)
        for words in said:
            self.assertIn(words, done.stderr)

    def test_a_rate_within_the_flag_passes_and_one_below_does_not(self):
        for rate, options, status in ((300, (), 0), (240, (), 0), (239, (), 1), (900, (), 0), (299, ("--flag", "1"), 1),
                                      (151, ("--flag", "2"), 0)):
            with self.subTest(rate=rate, options=options):
                self.has_rate(rate)
                done = self.beside(*options)
                self.assertEqual((done.returncode, done.stderr), (status, ""))
                self.assertIn("slower than" if status else "within", done.stdout)
                self.assertIn("of the baseline's 300.0", done.stdout)

    def test_a_file_of_another_machine_is_refused_with_what_differs(self):
        self.changes(lambda found: found["record"]["host"].update(cpu="Z80", cpus_online=1 << 20))
        self.refused("is of another machine: cpu Z80 there", "cpus_online 1048576 there")

    def test_a_file_of_other_devices_is_refused(self):
        self.changes(lambda found: found["records"]["a"].update(devices=[{"model": "H200", "processors": 132, "share": 1}]))
        self.refused("is of another machine: devices", "H200", "[] here")

    def test_a_file_of_another_command_is_refused(self):
        self.refused("is of 'sp-mz --class A', not of 'sp-mz --class B'", command="--class B")

    def test_a_bad_file_is_refused(self):
        for text in ("", "[]", "{}", '{"schema": "yoke-compare/1"}', '{"schema": "yoke-compare/1", "pairs": []}',
                     '{"schema": "yoke-compare/1", "a": "x", "pairs": [], "record": {"host": {}}, "records": {"a": null}}',
                     '{"schema": "yoke-compare/1", "a": "x", "pairs": [[0, 1]], "record": {"host": {}}, "records": {"a": null}}'):
            with self.subTest(text=text):
                self.file.write_text(text, encoding="utf-8")
                self.refused("is no file that compare.py --json writes")
        self.file.write_text('{"schema": "yoke-npb/1"}', encoding="utf-8")
        self.refused("schema 'yoke-npb/1'; a file that compare.py --json wrote")
        self.file.unlink()
        self.refused("No such file")

    def test_options_that_do_not_go_together_are_refused(self):
        for arguments, said in ((("x",), "either COMMAND B or --baseline"), (("--baseline", "f", "x", "y"), "either COMMAND B"),
                                (("--baseline", "f", "--json", "g", "x"), "goes without --json"),
                                (("--baseline", "f", "--flag", "0.5", "x"), "--flag 0.5: at least 1")):
            with self.subTest(arguments=arguments):
                done = compare(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
