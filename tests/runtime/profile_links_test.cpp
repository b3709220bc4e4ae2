/// Profiles that links lead to, what lies beside them, and homes that are not there.
#include "../../runtime/src/profile_file.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
#include <support/variable.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <yoke/kept_profiles.hpp>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using support::scratch_folder;
using yoke::detail::profile_path;

namespace {

std::string text_at(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void add_run(const profile_path& to, const std::string& program = "p") {
  yoke::detail::add_to_file(
      to, {{{.machine = "m", .program = program}, {.when = 1, .learnt = {.units = {{.runs = 1}}}}}});
}

std::size_t entries_in(const std::string& path) { return yoke::kept_profiles(path).size(); }

}  // namespace

TEST_CASE("a profile that is a link stays one: the file that it leads to is changed, and keeps its rights",
          "[profile]") {
  const scratch_folder folder;
  fs::create_directory(folder / "kept");
  const std::string file = folder / "kept/p.json", link = folder / "link", first = folder / "first";
  add_run({.path = file});
  REQUIRE(chmod(file.c_str(), 0640) == 0);
  fs::create_symlink("kept/p.json", link);
  fs::create_symlink(link, first);
  add_run({.path = first}, "another");
  CHECK(fs::is_symlink(first));
  CHECK(fs::is_symlink(link));
  CHECK(entries_in(file) == 2);
  CHECK(fs::status(file).permissions() == fs::perms{0640});
  CHECK_FALSE(fs::exists(first + ".lock"));
  CHECK(yoke::forget_profiles(link, [](const auto&) { return true; }) == 2);
  CHECK(fs::is_symlink(link));
}

TEST_CASE("a link that leads to no file yet leads to the profile then", "[profile]") {
  const scratch_folder folder;
  fs::create_symlink("p.json", folder / "link");
  add_run({.path = folder / "link"});
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(entries_in(folder / "p.json") == 1);
}

TEST_CASE("runs that name a profile by a link and by its name take the same lock", "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  add_run({.path = file});
  fs::create_symlink(file, folder / "link");
  const int lock = open((file + ".lock").c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(lock >= 0);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  CHECK_THAT(support::message_of([&] { add_run({.path = folder / "link", .looks = 3}); }),
             Contains("p.json.lock cannot be locked"));
  close(lock);
}

TEST_CASE("links that lead in a circle are refused", "[profile]") {
  const scratch_folder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  CHECK_THROWS_AS(add_run({.path = folder / "a"}), yoke::config_error);
}

TEST_CASE("what lies where the new profile is written is not written to, and nobody waits for it",
          "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json", next = file + ".next", other = folder / "other";
  add_run({.path = file});
  std::ofstream{other} << "of somebody else";
  SECTION("a FIFO that nobody reads") { REQUIRE(mkfifo(next.c_str(), 0600) == 0); }
  SECTION("a link to another file") { fs::create_symlink(other, next); }
  SECTION("another name of another file") { fs::create_hard_link(other, next); }
  SECTION("what a process that was killed has left") { std::ofstream{next} << "half"; }
  add_run({.path = file}, "another");
  CHECK(text_at(other) == "of somebody else");
  CHECK(fs::symlink_status(file).type() == fs::file_type::regular);
  CHECK(entries_in(file) == 2);
  CHECK_FALSE(fs::exists(fs::symlink_status(next)));
}

TEST_CASE("a lock that is a link makes no file elsewhere", "[profile]") {
  const scratch_folder folder;
  fs::create_symlink(folder / "elsewhere", folder / "p.json.lock");
  CHECK_THAT(support::message_of([&] { add_run({.path = folder / "p.json"}); }),
             Contains("p.json.lock cannot be written"));
  CHECK_FALSE(fs::exists(folder / "elsewhere"));
}

TEST_CASE("what is no regular file is no profile, and gets no lock beside it", "[profile]") {
  const scratch_folder folder;
  const std::string fifo = folder / "fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  CHECK_THAT(support::message_of([&] { add_run({.path = fifo}); }), Contains("is no regular file"));
  CHECK_FALSE(fs::exists(fifo + ".lock"));
}

TEST_CASE("a home that is not there is not made for a profile", "[profile]") {
  const scratch_folder folder;
  const support::variable cache{"XDG_CACHE_HOME"};
  {
    const support::variable home{"HOME", folder / "missing"};
    CHECK_FALSE(yoke::profile_file(std::nullopt));
  }
  const support::variable home{"HOME", folder.path().string()};
  CHECK(yoke::profile_file(std::nullopt) == folder / ".cache/yoke/profiles.json");
}
