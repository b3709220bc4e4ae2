"""scripts/api/as_doxygen.py gives Doxygen each docstring as its author meant it, and keeps the numbers of lines."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/api"))
from as_doxygen import converted  # noqa: E402


class Filter(unittest.TestCase):
    def test_words_mean_themselves_but_between_backticks(self):
        self.assertEqual(converted(["/// view<T>, #if, 5 % of a@b, `view<T>` \\n"]),
                         ["/// view\\<T\\>, \\#if, 5 \\% of a\\@b, `view<T>` \\\\n"])
        self.assertEqual(converted(["  int n = 1 < 2;  ///< a < b"]), ["  int n = 1 < 2;  ///< a \\< b"])

    def test_indented_lines_are_code_with_the_empty_ones_between_them(self):
        self.assertEqual(converted(["/// Says:", "///", "///   f<T>();", "///", "///   g();", "///", "/// and <more>."]),
                         ["/// Says:", "/// @code{.cpp} ", "///   f<T>();", "///", "///   g(); @endcode", "///", "/// and \\<more\\>."])

    def test_what_a_header_begins_with_is_about_the_header(self):
        self.assertEqual(converted(["// why", "#pragma once", "/// All of it.", "", "/// One.", "int one();"]),
                         ["// why", "/// @file", "/// All of it.", "", "/// One.", "int one();"])

    def test_other_comments_and_code_stay(self):
        lines = ["//// four", "// two", "int a;  // <T>", "#include <vector>"]
        self.assertEqual(converted(lines), lines)

    def test_every_public_header_keeps_its_lines_and_closes_its_code(self):
        headers = [path for path in ROOT.glob("*/include/yoke/**/*.hpp")] + [*ROOT.glob("devices/*/include/yoke/*.hpp")]
        self.assertGreater(len(headers), 100)
        for header in headers:
            lines = header.read_text(encoding="utf-8").split("\n")
            made = converted(lines)
            with self.subTest(header=str(header.relative_to(ROOT))):
                self.assertEqual(len(made), len(lines))
                self.assertEqual(sum("@code" in line for line in made), sum("@endcode" in line for line in made))


if __name__ == "__main__":
    unittest.main()
