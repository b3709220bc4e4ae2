"""docs/results.md and the figures of README.md say what the committed data say."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import bars  # noqa: E402
import figures  # noqa: E402


def check(root, *arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/results.py", "--root", root, *arguments],
                          capture_output=True, text=True, check=False)


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        shutil.copytree(ROOT / "docs/results", self.root / "docs/results")
        for name in ("docs/results.md", "docs/yoke.svg"):
            shutil.copy(ROOT / name, self.root / name)
        shutil.copy(ROOT / "README.md", self.root / "README.md")

    def tearDown(self):
        self.folder.cleanup()

    def change(self, path, old, new):
        text = (self.root / path).read_text(encoding="utf-8")
        self.assertIn(old, text)
        (self.root / path).write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_the_committed_text_is_what_the_data_say(self):
        done = check(ROOT, "--check")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_figure_changed_by_hand_is_found_with_both_values(self):
        for path in ("docs/results.md", "README.md"):
            with self.subTest(path=path):
                self.change(path, "| 5310 |", "| 5999 |")
                done = check(self.root, "--check")
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stdout, rf"(?s)--- {path}\n.*\n-[^\n]*5999.*\n\+[^\n]*5310")

    def test_a_plot_that_is_not_of_the_data_is_found(self):
        for path, old, new in (("docs/results/class-D.svg", ">5310<", ">5999<"), ("docs/yoke.svg", ">host memory<", ">memory<")):
            with self.subTest(path=path):
                self.change(path, old, new)
                self.assertIn(old, check(self.root, "--check").stdout)

    def test_other_data_are_found(self):
        self.change("docs/results/2026-11-21/npb-gpu.json", "1052719.76", "2052719.76")
        done = check(self.root, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("+| SP-MZ | D | 5299 | 2053 | 2.6 |", done.stdout)

    def test_making_them_anew_puts_it_right(self):
        self.change("docs/results.md", "| 5310 |", "| 5999 |")
        self.assertEqual(check(self.root).returncode, 0)
        self.assertEqual(check(self.root, "--check").returncode, 0)

    def about(self, name, **what):
        path = self.root / "docs/results/about.json"
        said = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(said | {name: said.get(name, {}) | what}), encoding="utf-8")

    def test_data_that_nothing_shows_are_named_unless_they_are_kept_so(self):
        (self.root / "docs/results/2026-11-21/idle.json").write_text('{"commit": "abc"}', encoding="utf-8")
        self.assertIn("no figure is made from 2026-11-21/idle.json", check(self.root, "--check").stderr)
        self.about("2026-11-21/idle.json", shown=False)
        done = check(self.root, "--check")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_data_that_are_shown_are_not_called_hidden(self):
        self.about("2026-11-21/npb-gpu.json", shown=False)
        self.assertIn("about.json says that 2026-11-21/npb-gpu.json is not shown, and a figure is made from it", check(self.root, "--check").stderr)

    def test_data_of_an_unknown_commit_are_refused(self):
        (self.root / "docs/results/2026-11-21/idle.json").write_text("{}", encoding="utf-8")
        self.about("2026-11-21/idle.json", shown=False)
        self.assertIn("2026-11-21/idle.json says no commit, neither itself nor in about.json", check(self.root, "--check").stderr)

    def test_a_figure_that_does_not_exist_and_data_that_lack_are_named(self):
        self.change("docs/results/results.md.in", "{{fortran}}", "{{fortrun}}")
        self.assertIn("{{fortrun}}: no such figure; there are babelstream_on_cpus", check(self.root).stderr)
        self.change("docs/results/results.md.in", "{{fortrun}}", "{{ns watts}}")
        self.assertIn("{{ns watts}}: the data lack 'watts'", check(self.root).stderr)

    def test_each_figure_is_shown(self):
        templates = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs/results").glob("*.md.in"))
        self.assertEqual(set(figures.FIGURES) - set(re.findall(r"\{\{(\w+)", templates)), set())

    def test_a_readme_without_its_marks_is_refused(self):
        self.change("README.md", "<!-- end of figures -->", "")
        self.assertIn("wanted the lines", check(self.root).stderr)


class LikeWithLike(unittest.TestCase):
    def test_a_ratio_over_another_class_or_benchmark_is_refused(self):
        ours = figures.Measured("bt", "D", 7e6)
        self.assertEqual(figures.over(ours, figures.Measured("bt", "D", 1e6)), 7)
        for other in (figures.Measured("bt", "C", 1e6), figures.Measured("sp", "D", 1e6)):
            with self.assertRaisesRegex(figures.Unlike, "not the same work"):
                figures.over(ours, other)

    def test_the_class_of_either_program_is_read_from_its_command(self):
        self.assertEqual(figures.class_of("bt-mz --class A --cus 2x1"), "A")
        self.assertEqual(figures.class_of("bt-vec.B.x"), "B")

    def test_the_reference_is_the_faster_of_its_versions(self):
        data = figures.Data(ROOT / "docs/results")
        self.assertEqual(figures.against_fortran(data, "bt", "A")["b"], "bt-vec.A.x")
        self.assertEqual(figures.against_fortran(data, "lu", "A")["b"], "lu-plain.A.x")

    def test_rates_have_four_digits(self):
        self.assertEqual([figures.rate(x) for x in (9182.43, 52446.6, 5365986.4, 10821000, 704.2)], ["9.182", "52.45", "5366", "10821", "0.7042"])


class Bars(unittest.TestCase):
    def test_the_axis_has_round_numbers_up_to_the_largest(self):
        self.assertEqual(bars.ticks(10.8), [0, 5, 10, 15])
        self.assertEqual(bars.ticks(4.9), [0, 1, 2, 3, 4, 5])
        self.assertEqual(bars.ticks(31), [0, 10, 20, 30, 40])

    def test_every_value_has_a_bar_as_high_as_it_is(self):
        svg = xml.etree.ElementTree.fromstring(bars.draw({"a": {"x": 1.0, "y <": 2.0}, "b": {"y <": 4.0}}, "rate"))
        space = "{http://www.w3.org/2000/svg}"
        heights = [float(r.get("height")) for r in svg.iter(f"{space}rect") if r.get("fill") in bars.COLOURS][2:]  # after the legend
        self.assertEqual(len(heights), 3)
        self.assertAlmostEqual(heights[1] / heights[0], 2, places=2)
        self.assertAlmostEqual(heights[2] / heights[0], 4, places=2)
        words = [t.text for t in svg.iter(f"{space}text")]
        self.assertLessEqual({"1.00", "2.00", "4.00", "a", "b", "y <", "rate"}, set(words))


if __name__ == "__main__":
    unittest.main()
