"""scripts/measure.py finds each function once, with its length, whatever stands around it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import measure  # noqa: E402
import rooms  # noqa: E402

# text: the functions in it, as (name, line, lines)
EXAMPLES = {
    "int f() { return 1; }\n": [("f", 1, 1)],
    "namespace a {\nint f() {\n  return 1;\n}\n}\n": [("f", 2, 3)],
    "struct s {\n  int x = 3;\n  int y{4};\n  s() : x{1}, y{2} {}\n  int get() const noexcept { return x; }\n};\n":
        [("s", 4, 1), ("get", 5, 1)],
    "s::s(int a)\n    : x_{a},\n      y_{std::vector<int>{1, 2}} {\n  run();\n}\n": [("s::s", 1, 5)],
    "constexpr std::array<int, 2> known{{\n    1, 2}};\nint g();\nauto h() -> int\n{\n  return 1;\n}\n": [("h", 4, 4)],
    "template <class T = int>\nvoid f(T a = {}) {\n  if (a) {\n    auto l = [&] { return 1; };\n  }\n}\n": [("f", 2, 5)],
    "bool operator==(a x, a y) { return true; }\nvoid t::operator()(int x) const { x; }\n":
        [("operator__", 1, 1), ("t::operator__", 2, 1)],
    "s::s(o a) : x_{.n = 1, .m = f(2)} {\n}\nUSE(all)\n\nnamespace {\nint f() { return 1; }\n}\n": [("s::s", 1, 2), ("f", 6, 1)],
    "auto l = [](int x) {\n  return x;\n};\nenum class e { a, b };\n": [],
    '// void f() {}\nconst char* t = "void f() {";\n/* void g() { */\n#define H() {\nvoid r() {}\n': [("r", 5, 1)],
    "class a {\n public:\n  ~a() override {\n    x();\n  }\n};\n": [("~a", 3, 3)],
    "extern \"C\" {\nint f(void) { return 1; }\n}\n": [("f", 2, 1)],
}


def found_in(text):
    return [tuple(f) for f in measure.functions_of(measure.code_of(rooms.Source("cu/src/a.cpp", text)))]


def run(files, *arguments):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            file = pathlib.Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPTS / "measure.py", "--root", root, *arguments],
                              capture_output=True, text=True, check=False)


class Sizes(unittest.TestCase):
    def test_every_function_is_found_once_with_its_lines(self):
        for text, wanted in EXAMPLES.items():
            with self.subTest(text=text):
                self.assertEqual(found_in(text), wanted)

    def test_the_spread_is_of_sizes_that_occur(self):
        self.assertEqual(measure.spread(range(1, 12)), {"median": 6, "p90": 10, "largest": 11})

    def test_a_long_function_is_named_and_fails_the_bars(self):
        long = "void f() {\n" + "  x();\n" * 39 + "}\n"
        files = {"cu/src/a.cpp": "int g();\n" + long, "tests/cu/a.cpp": long * 2}
        done = run(files)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cu/src/a.cpp:2: f has 41 lines; wanted at most 40\n", done.stdout)
        self.assertEqual(run(files, "--bars").returncode, 1)

    def test_tests_have_a_row_of_their_own_and_miss_no_bar(self):
        done = run({"cu/src/a.cpp": "void f() {\n}\n", "tests/cu/a.cpp": "void g() {\n" + "  x();\n" * 39 + "}\n"}, "--bars")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"all +1 +2 +2 +2 +1 +2 +2 +2 +- +0.00\ntests +1 +41 +41 +41 +1 +41 +41 +41 +- +0.00\n")
        self.assertIn("tests/cu/a.cpp:1: g has 41 lines; wanted at most 40\n", done.stdout)
        self.assertRegex(run({"tests/cu/a.cpp": "void f() {\n}\n"}, "tests").stdout, r"all +0 .*\ntests +1 ")

    def test_code_within_the_bars_passes(self):
        done = run({"cu/src/a.cpp": "void f() {\n}\n" * 3}, "--bars")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"all +3 +2 +2 +2 +1 +6 +6 +6 +- +0\.00\n")

    def test_comments_of_public_headers_and_of_sources_are_counted_for_each_line_of_code(self):
        header = "#pragma once\n/// What.\n\nstruct a {\n  int n;  ///< how many\n};  // the end\n"
        done = run({"cu/include/yoke/a.hpp": header, "cu/include/yoke/detail/a.hpp": "int x;\n" * 9,
                    "cu/src/a.cpp": "// Why.\nint x;\n" + "int y;\n" * 3, "cu/src/a.hpp": "// Why.\nint x;\n"})
        self.assertRegex(done.stdout, r"\ncu .* 0\.50 +0\.25\n")

    def test_lines_of_tests_are_counted_for_each_of_libraries_and_tools_and_of_all_others(self):
        files = {"cu/src/a.cpp": "// Why.\n\nint x;\n", "tools/a.py": "# Why.\nx = 1\n", "benchmarks/a.cpp": "int x;\n" * 2,
                 "tests/cu/a.cpp": "int x;\n" * 2, "tests/a.py": "x = 1\n"}
        line = "tests: 1.50 lines for each of libraries and tools, 0.75 for each that is no test\n"
        self.assertIn(line, run(files).stdout)
        self.assertNotIn("tests: ", run(files, "cu").stdout)
        self.assertNotIn("tests: ", run({"tests/cu/a.cpp": "int x;\n"}).stdout)

    def test_a_long_file_is_named(self):
        self.assertIn("cu/src/a.cpp:1: 301 lines; wanted at most 300",
                      run({"cu/src/a.cpp": "int x;\n" * 301}, "--bars").stdout)

    def test_a_folder_without_code_is_refused(self):
        self.assertIn("base: no C++ code there", run({"cu/src/a.cpp": ""}, "base").stderr)


if __name__ == "__main__":
    unittest.main()
