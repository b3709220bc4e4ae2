"""benchmarks/record/commit.cmake names the commit of a clone, and says unknown elsewhere."""

import pathlib
import re
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "benchmarks/record/commit.cmake"


class TheCommit(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.source = pathlib.Path(self.folder.name, "source")
        self.source.mkdir()
        self.out = pathlib.Path(self.folder.name, "commit.cpp")

    def tearDown(self):
        self.folder.cleanup()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.source, "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments],
                              capture_output=True, text=True, check=True).stdout.strip()

    def commit_of(self, source):
        subprocess.run(["cmake", f"-DSOURCE={source}", f"-DOUT={self.out}", "-P", SCRIPT], check=True, capture_output=True)
        return re.search(r'return "(.*)"', self.out.read_text(encoding="utf-8"))[1]

    def make_clone(self):
        self.git("init", "-q")
        (self.source / "a.txt").write_text("1\n", encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Begin")

    def test_a_clean_clone_is_named_by_its_commit(self):
        self.make_clone()
        self.assertEqual(self.commit_of(self.source), self.git("rev-parse", "--short=10", "HEAD"))

    def test_a_changed_file_makes_it_dirty(self):
        self.make_clone()
        (self.source / "a.txt").write_text("2\n", encoding="utf-8")
        self.assertEqual(self.commit_of(self.source), self.git("rev-parse", "--short=10", "HEAD") + "-dirty")

    def test_an_untracked_file_does_not(self):
        self.make_clone()
        (self.source / "b.txt").write_text("2\n", encoding="utf-8")
        self.assertNotIn("dirty", self.commit_of(self.source))

    def test_a_tarball_is_unknown_even_inside_another_clone(self):
        self.assertEqual(self.commit_of(self.source), "unknown")
        self.make_clone()
        inside = self.source / "vendored"
        inside.mkdir()
        self.assertEqual(self.commit_of(inside), "unknown")

    def test_the_file_is_left_alone_where_nothing_changed(self):
        self.make_clone()
        self.commit_of(self.source)
        before = self.out.stat().st_mtime_ns
        self.commit_of(self.source)
        self.assertEqual(self.out.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
