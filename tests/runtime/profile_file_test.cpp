/// What the file system may refuse a profile: each is one line, and the file is as it was.
#include "../../runtime/src/profile_file.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/limit.hpp>
#include <support/scratch_folder.hpp>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using yoke::detail::add_to_file;
using yoke::detail::profile_path;
using yoke::detail::read_book;
using yoke::detail::remove_from_file;

using support::scratch_folder;

namespace {

std::string contents(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void add_one(const profile_path& to) {
  add_to_file(to, {{{.machine = "m", .program = "p"}, {.when = 1, .learnt = {.units = {{.runs = 1}}}}}});
}

}  // namespace

TEST_CASE("a profile is written, read and forgotten", "[profile]") {
  const scratch_folder folder;
  const profile_path file{.path = folder / "p.json"};
  add_one(file);
  const std::string before = contents(file.path);
  CHECK(before == read_book(file.path).text());
  CHECK(remove_from_file(file.path, [](const auto& entry) { return entry.key.program == "other"; }) == 0);
  CHECK(contents(file.path) == before);
  CHECK(remove_from_file(file.path, [](const auto&) { return true; }) == 1);
  CHECK(contents(file.path) != before);
  CHECK(remove_from_file(folder / "none.json", [](const auto&) { return true; }) == 0);
}

TEST_CASE("a file that is larger than any profile is refused", "[profile]") {
  const scratch_folder folder;
  const std::string path = folder / "p.json";
  std::ofstream{path}.close();
  fs::resize_file(path, (std::size_t{64} << 20) + 1);  // a hole: nothing is written
  CHECK_THAT(support::message_of([&] { static_cast<void>(read_book(path)); }),
             Contains("is too large for a profile"));
}

TEST_CASE("a lock that another process keeps is looked at so many times, and then the profile is left alone",
          "[profile]") {
  const scratch_folder folder;
  const profile_path file{.path = folder / "p.json", .looks = 3};
  add_one(file);
  const std::string before = contents(file.path);
  const int lock = open((file.path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(lock >= 0);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  CHECK_THAT(support::message_of([&] { add_one(file); }), Contains("p.json.lock cannot be locked"));
  CHECK(contents(file.path) == before);
  std::thread waiting{[&] { add_one({.path = file.path, .looks = 1'000'000}); }};
  close(lock);
  waiting.join();
  CHECK(contents(file.path) != before);
}

TEST_CASE("what cannot be written is told by name, and nothing is left of it", "[profile]") {
  const scratch_folder folder;
  CHECK_THAT(support::message_of([&] { add_one({.path = folder / "missing/p.json"}); }),
             Contains("missing/p.json.lock cannot be written"));
  const profile_path in_the_way{.path = folder / "p.json"};
  add_one(in_the_way);
  const std::string before = contents(in_the_way.path);
  fs::create_directory(in_the_way.path + ".next");
  CHECK_THAT(support::message_of([&] { add_one(in_the_way); }), Contains("p.json.next cannot be written"));
  CHECK(contents(in_the_way.path) == before);

  std::ofstream{folder / "file"}.close();
  CHECK_THAT(support::message_of([&] { add_one({.path = folder / "file/yoke/p.json", .is_own = true}); }),
             Contains("file/yoke cannot be made"));
  CHECK_THAT(support::message_of([&] { add_one({.path = "/dev/null"}); }), Contains("/dev/null"));
}

TEST_CASE("a folder of one's own is made, for its owner alone", "[profile]") {
  const scratch_folder folder;
  const profile_path file{.path = folder / "a/b/p.json", .is_own = true};
  add_one(file);
  CHECK(fs::status(folder / "a/b").permissions() == fs::perms::owner_all);
  std::ofstream{file.path} << "no profile";  // of its own: replaced
  add_one(file);
  CHECK(contents(file.path) == read_book(file.path).text());
}

TEST_CASE("a profile over the limit of files is told, and the one that was there stays", "[profile]") {
  const scratch_folder folder;
  const profile_path file{.path = folder / "p.json"};
  add_one(file);
  const std::string before = contents(file.path);
  const support::limit small_files{RLIMIT_FSIZE, 64};
  CHECK_THAT(support::message_of([&] { add_one(file); }),
             Contains("p.json.next cannot be written: File too large"));
  CHECK(contents(file.path) == before);
  CHECK_FALSE(fs::exists(file.path + ".next"));
}
