"""scripts/code_lines.py counts each line of code once, and nothing else."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import code_lines  # noqa: E402

# text: lines of code in it
EXAMPLES = {
    "": 0,
    "\n  \n\t\n": 0,
    "// why\n/// what\n": 0,
    "int x;  // why\n": 1,
    "/* one\n   two */\nint x;\n": 1,
    "int x; /* one\n two */ int y;\n": 2,
    'const char* t =\n    "// no comment";\n': 2,
    'const char* t = R"(\n/* text\n)";\n': 3,
    "#pragma once\n#include <vector>\n": 2,
    "char c = '\"';  // a quote\nint y;\n": 2,
}


def write(root, files):
    for name, text in files.items():
        file = pathlib.Path(root, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run(root, *arguments):
    return subprocess.run([sys.executable, SCRIPTS / "code_lines.py", "--root", root, *arguments],
                          capture_output=True, text=True, check=False)


def git(root, *arguments):
    subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], capture_output=True, check=True)


class CodeLines(unittest.TestCase):
    def test_comments_and_blank_lines_are_no_code(self):
        for text, wanted in EXAMPLES.items():
            with self.subTest(text=text):
                self.assertEqual(code_lines.lines_of_code(text), wanted)

    def test_folders_have_a_line_each_and_one_together(self):
        with tempfile.TemporaryDirectory() as root:
            write(root, {"cu/a.cpp": "int x;\n" * 3, "cu/b/c.hpp": "int y;\n", "base/a.cu": "int z;\n", "cu/a.py": "x = 1\n",
                         "custom/a.cpp": "int w;\n"})
            self.assertEqual(run(root, "cu/", "base").stdout.split("\n")[1:4],
                             ["cu            2      4", "base          1      1", "together      3      5"])

    def test_what_lies_in_two_of_the_folders_counts_once(self):
        with tempfile.TemporaryDirectory() as root:
            write(root, {"cu/src/a.cpp": "int x;\n", "cu/b.cpp": "int y;\n"})
            self.assertIn("together      2      2\n", run(root, "cu/src", "cu").stdout)

    def test_another_commit_is_counted_as_it_was(self):
        with tempfile.TemporaryDirectory() as root:
            write(root, {"cu/a.cpp": "int x;\n"})
            git(root, "init")
            git(root, "add", ".")
            git(root, "commit", "-m", "first")
            write(root, {"cu/a.cpp": "int x;\nint y;\n"})
            self.assertIn("together      1      2\n", run(root, "cu").stdout)
            self.assertIn("together      1      1\n", run(root, "--at", "HEAD", "cu").stdout)
            refused = run(root, "--at", "nowhere", "cu")
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("--at nowhere: no such commit", refused.stderr)

    def test_a_folder_without_code_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            write(root, {"cu/a.cpp": "int x;\n"})
            refused = run(root, "cu", "bass")
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            self.assertIn("bass: no C++ code there", refused.stderr)


if __name__ == "__main__":
    unittest.main()
