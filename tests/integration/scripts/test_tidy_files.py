"""scripts/tidy_files.py chooses what it says."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import tidy_files  # noqa: E402
from boundaries.source import Source  # noqa: E402

TREE = {
    "cu/include/yoke/cu.hpp": "#include <yoke/ids.hpp>\n",
    "base/include/yoke/ids.hpp": "#pragma once\n",
    "cu/src/table.hpp": "#include <vector>\n",
    "benchmarks/npb/driver/run.hpp": "#pragma once\n",
    "cu/src/a.cpp": '#include "table.hpp"\n#include <yoke/cu.hpp>\n',
    "cu/src/b.cpp": "#include <yoke/cu.hpp>\n",
    "cu/src/c.cpp": "int c;\n",
    "benchmarks/npb/d.cpp": '#include "driver/run.hpp"\n',
}
SOURCES = sorted(path for path in TREE if path.endswith(".cpp"))
INCLUDES = tidy_files.Includes([Source(path, text) for path, text in TREE.items()])


class Choice(unittest.TestCase):
    def test_every_source_has_its_day(self):
        days = [tidy_files.select("part", SOURCES, INCLUDES, [], day) for day in range(8)]
        self.assertEqual(sorted(path for chosen in days for path in chosen), SOURCES)

    def test_a_changed_source_stands_for_itself_and_a_changed_header_for_one_that_includes_it(self):
        chosen = tidy_files.of_changes(["cu/src/c.cpp", "base/include/yoke/ids.hpp", "README.md"], SOURCES, INCLUDES)
        self.assertEqual(chosen, ["cu/src/c.cpp", "cu/src/b.cpp"])

    def test_a_header_whose_reader_changed_too_needs_no_other(self):
        chosen = tidy_files.of_changes(["cu/src/a.cpp", "cu/include/yoke/cu.hpp"], SOURCES, INCLUDES)
        self.assertEqual(chosen, ["cu/src/a.cpp"])

    def test_every_header_is_read_each_day_and_no_source_twice(self):
        for day in range(8):
            part = tidy_files.select("part", SOURCES, INCLUDES, [], day)
            names = tidy_files.select("names", SOURCES, INCLUDES, [], day)
            self.assertFalse(part & names)
            self.assertEqual(set().union(*map(INCLUDES.reached, part | names)), {p for p in TREE if p.endswith(".hpp")})

    def test_at_most_thirty_sources_of_late_changes_are_chosen(self):
        many = [f"cu/src/{n}.cpp" for n in range(400)]
        includes = tidy_files.Includes([Source(path, "") for path in many])
        chosen = tidy_files.select("part", sorted(many), includes, many, 0)
        self.assertLessEqual(chosen - tidy_files.every(8, sorted(many), 0), set(many[:30]))
        self.assertGreater(len(chosen), 50)


if __name__ == "__main__":
    unittest.main()
