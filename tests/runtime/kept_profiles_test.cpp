#include "../../runtime/src/profile_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <support/catch.hpp>
#include <support/scratch_folder.hpp>
#include <unistd.h>

#include <yoke/error.hpp>
#include <yoke/kept_profiles.hpp>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

/// A profile with the entries of programs a, b and a file of its own, gone at the end.
class scratch_profile {
 public:
  scratch_profile() {
    for (const char* program : {"a", "b"})
      yoke::detail::add_to_file({.path = path()}, {{{.program = program}, {.when = 1, .learnt = {}}}});
  }

  std::string path() const { return folder_ / "p.json"; }
  std::string text() const {
    std::ifstream file{path()};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

 private:
  support::scratch_folder folder_;
};

bool is_of_a(const yoke::profile_entry& entry) { return entry.key.program == "a"; }
bool is_any(const yoke::profile_entry&) { return true; }

}  // namespace

TEST_CASE("entries are forgotten where they are meant, and the others stay", "[profile]") {
  const scratch_profile kept;
  REQUIRE(yoke::kept_profiles(kept.path()).size() == 2);
  CHECK(yoke::forget_profiles(kept.path(), is_of_a) == 1);
  const auto left = yoke::kept_profiles(kept.path());
  REQUIRE(left.size() == 1);
  CHECK(left[0].key.program == "b");
  CHECK(left[0].runs.size() == 1);
}

TEST_CASE("a profile of which nothing goes is left as it is", "[profile]") {
  const scratch_profile kept;
  REQUIRE(yoke::forget_profiles(kept.path(), is_of_a) == 1);
  const std::string before = kept.text();
  const auto when = fs::last_write_time(kept.path());
  CHECK(yoke::forget_profiles(kept.path(), is_of_a) == 0);
  CHECK(kept.text() == before);
  CHECK(fs::last_write_time(kept.path()) == when);
}

TEST_CASE("where there is no profile nothing is forgotten and no file is made", "[profile]") {
  const scratch_profile kept;
  const std::string other = kept.path() + ".other";
  CHECK(yoke::kept_profiles(other).empty());
  CHECK(yoke::forget_profiles(other, is_any) == 0);
  CHECK_FALSE(fs::exists(other));
  CHECK_FALSE(fs::exists(other + ".lock"));
}

TEST_CASE("a file that is no profile is refused with its path, and kept", "[profile]") {
  const scratch_profile kept;
  std::ofstream{kept.path()} << "my notes";
  CHECK_THROWS_AS(yoke::kept_profiles(kept.path()), yoke::config_error);
  CHECK_THROWS_WITH(yoke::forget_profiles(kept.path(), is_any), Contains(kept.path() + " is damaged"));
  CHECK(kept.text() == "my notes");
}

TEST_CASE("the file of a profile is the one that was named, or none", "[profile]") {
  CHECK(yoke::profile_file(yoke::sourced{"none", "YOKE_PROFILE"}) == std::nullopt);
  CHECK(yoke::profile_file(yoke::sourced{"/a/p.json", "--file"}) == "/a/p.json");
  CHECK_THROWS_AS(yoke::profile_file(yoke::sourced{"", "YOKE_PROFILE"}), yoke::config_error);
}
