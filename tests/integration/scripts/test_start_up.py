"""scripts/start_up.py sets a program beside an empty one, pair by pair."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import start_up  # noqa: E402


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPTS / "start_up.py", *arguments], capture_output=True, text=True, check=False)


class StartUp(unittest.TestCase):
    def test_what_a_program_takes_is_compared_pair_by_pair(self):
        found = start_up.summary([(5, 1), (7, 2), (60, 58)])
        self.assertEqual((found["median_s"], found["empty_median_s"], found["over_empty_s"]), (7, 2, 4))
        self.assertEqual((found["least_s"], found["empty_least_s"]), (5, 1))

    def test_samples_are_written_with_their_record(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "start.json")
            done = run("--runs", "3", "--json", str(file), "true")
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(file.read_text(encoding="utf-8"))
        self.assertEqual((len(found["pairs_s"]), found["program"]), (3, ["true"]))
        self.assertIn("commit", found["record"])

    def test_a_program_that_starts_too_slowly_is_told_by_the_status(self):
        self.assertEqual(run("--runs", "3", "--most", "-1000", "true").returncode, 1)
        self.assertEqual(run("--runs", "3", "--most", "100000", "true").returncode, 0)

    def test_what_cannot_be_run_is_refused_by_name(self):
        done = run("--runs", "1", "/dev/null/program")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/dev/null/program", done.stderr)
        self.assertIn("a program, and one run or more", run("--runs", "0", "true").stderr)


if __name__ == "__main__":
    unittest.main()
