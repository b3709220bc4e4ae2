"""A name of every kind has a case in .clang-tidy."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# A name of each kind that does not have the case of the house.
WRONG_NAMES = """
namespace BadSpace {}
class BadClass {
 public:
  int BadPublic = 0;
  const int BadConstant = 0;
  static inline int BadStatic = 0;
  void BadMethod() {}
 protected:
  int BadProtected_ = 0;
  int bad_protected = 0;
 private:
  int BadPrivate_ = 0;
  int bad_private = 0;
};
struct BadStruct { int BadField; };
union BadUnion { int BadMember; float good; };
enum class BadEnum { BadEnumerator };
typedef int BadTypedef;
using BadAlias = int;
template <class bad_type, int bad_value> struct good {};
template <class T> concept BadConcept = true;
constexpr int BadGlobal = 0;
void BadFunction(int BadParameter) { const int BadLocal = 0; }
#define bad_macro 1
"""


class Names(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-tidy-19"), "no clang-tidy-19")
    def test_a_wrong_name_of_any_kind_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "names.cpp")
            file.write_text(WRONG_NAMES, encoding="utf-8")
            done = subprocess.run(["clang-tidy-19", f"--config-file={ROOT / '.clang-tidy'}",
                                   "--checks=-*,readability-identifier-naming", str(file), "--", "-std=c++20"],
                                  capture_output=True, text=True, check=False)
        wrong = set(re.findall(r"\b(?:Bad\w+|bad_\w+)", WRONG_NAMES))
        self.assertEqual(set(re.findall(r"invalid case style for .* '(\w+)'", done.stdout)), wrong)


if __name__ == "__main__":
    unittest.main()
