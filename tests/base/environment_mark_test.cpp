#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <string>
#include <support/catch.hpp>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/settings.hpp>

using yoke::detail::cpus_before_binding;
using yoke::detail::get_environment;
using yoke::detail::is_set_by_user;
using yoke::detail::set_as_yoke;
using yoke::detail::set_environment;
using yoke::detail::unset_environment;

namespace {

constexpr const char* mark = "_YOKE_SET";
constexpr const char* test_variable = "A_VARIABLE_OF_THE_TEST";

/// The variables that the test touches, as they were before.
class kept_environment {
 public:
  kept_environment() {
    for (const char* name : names) {
      before_.push_back(get_environment(name));
      unset_environment(name);
    }
  }
  ~kept_environment() {
    for (std::size_t i = 0; i < std::size(names); ++i)
      before_[i] ? set_environment(names[i], *before_[i]) : unset_environment(names[i]);
  }
  kept_environment(const kept_environment&) = delete;
  kept_environment& operator=(const kept_environment&) = delete;

 private:
  static constexpr const char* names[] = {mark, test_variable, "OMP_PLACES", "_YOKE_TELL"};
  std::vector<std::optional<std::string>> before_;
};

/// "number:start" of a process, as in its mark.
std::string identity_of(int process) {
  std::ifstream file{fmt::format("/proc/{}/stat", process)};
  const std::string all{std::istreambuf_iterator<char>{file}, {}};
  std::string fields = all.substr(all.rfind(')') + 2);  // from the state on, the third field of the file
  for (int field = 3; field < 22; ++field) fields.erase(0, fields.find(' ') + 1);
  return fmt::format("{}:{}", process, fields.substr(0, fields.find(' ')));
}

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// One place with the CPUs of this thread.
std::string place_of_this_thread() {
  return fmt::format("{{{}}}", fmt::join(yoke::affinity_of_this_thread(), ","));
}

}  // namespace

TEST_CASE("a variable is the user's unless it has the value that Yoke gave it", "[environment_mark]") {
  const kept_environment kept;
  CHECK_FALSE(is_set_by_user(test_variable));
  set_as_yoke(test_variable, "ours");
  CHECK(get_environment(test_variable) == "ours");
  CHECK_FALSE(is_set_by_user(test_variable));
  set_environment(test_variable, "theirs");
  CHECK(is_set_by_user(test_variable));
}

TEST_CASE("what the user has set stays", "[environment_mark]") {
  const kept_environment kept;
  set_environment(test_variable, "theirs");
  set_as_yoke(test_variable, "ours");
  CHECK(get_environment(test_variable) == "theirs");
  CHECK_FALSE(get_environment(mark).has_value());
}

TEST_CASE("a value that Yoke gave is replaced by a newer one", "[environment_mark]") {
  const kept_environment kept;
  set_as_yoke(test_variable, "first");
  set_as_yoke(test_variable, "second");
  CHECK(get_environment(test_variable) == "second");
  CHECK_FALSE(is_set_by_user(test_variable));
}

TEST_CASE("a program started by one with Yoke knows what that has set, and marks what it sets as its own",
          "[environment_mark]") {
  const kept_environment kept;
  set_environment(mark, fmt::format("1:1:7;{}=inherited;bound=1", test_variable));
  set_environment(test_variable, "inherited");
  CHECK_FALSE(is_set_by_user(test_variable));
  set_as_yoke("OMP_PLACES", "{0}");
  CHECK_FALSE(is_set_by_user(test_variable));
  CHECK(get_environment(mark) == fmt::format("{}:{};{}=inherited;OMP_PLACES={{0}}", identity_of(getpid()),
                                             fmt::join(yoke::allowed_cpus_at_start(), ","), test_variable));
}

TEST_CASE("threads are marked as bound once, where Yoke has set something", "[environment_mark]") {
  const kept_environment kept;
  yoke::detail::mark_bound_threads();
  CHECK_FALSE(get_environment(mark).has_value());
  set_as_yoke(test_variable, "ours");
  yoke::detail::mark_bound_threads();
  const std::optional<std::string> marked = get_environment(mark);
  CHECK_THAT(marked.value_or(""), Catch::Contains(";bound=1"));
  yoke::detail::mark_bound_threads();
  CHECK(get_environment(mark) == marked);
}

TEST_CASE("a thread on a place that this process has set finds the CPUs from before", "[environment_mark]") {
  const kept_environment kept;
  CHECK_FALSE(cpus_before_binding().has_value());
  set_as_yoke(test_variable, "ours");
  CHECK_FALSE(cpus_before_binding().has_value());  // no places
  set_as_yoke("OMP_PLACES", "{100000}," + place_of_this_thread());
  const auto found = cpus_before_binding();
  REQUIRE(found.has_value());
  CHECK(found->cpus == yoke::allowed_cpus_at_start());
  CHECK_FALSE(found->by_parent);
}

TEST_CASE("a thread on no place of the list has been narrowed by something else", "[environment_mark]") {
  const kept_environment kept;
  set_as_yoke("OMP_PLACES", "{100000},{100001}");
  CHECK_FALSE(cpus_before_binding().has_value());
}

TEST_CASE("the child of a bound thread finds the CPUs of its parent's process, any other process does not",
          "[environment_mark]") {
  const kept_environment kept;
  const auto [process, bound, known] = GENERATE(table<int, std::string, bool>({
      {getppid(), ";bound=1", true},
      {getppid(), "", false},
      {1 << 30, ";bound=1", false},
  }));
  CAPTURE(process, bound);
  const std::string identity = known || bound.empty() ? identity_of(process) : fmt::format("{}:1", process);
  set_environment(mark, fmt::format("{}:9,5;OMP_PLACES={}{}", identity, place_of_this_thread(), bound));
  const auto found = cpus_before_binding();
  REQUIRE(found.has_value() == known);
  if (!known) return;
  CHECK(found->cpus == std::vector{5, 9});
  CHECK(found->by_parent);
}

TEST_CASE("children tell a checker their lines, and nobody else", "[environment_mark]") {
  const kept_environment kept;
  const support::scratch_folder folder;
  const std::string file = folder / "told";
  std::ofstream{file}.close();
  yoke::detail::tell_checker({"nobody listens"});
  yoke::detail::listen_to_children(file);
  yoke::detail::tell_checker({"one", "two"});
  yoke::detail::tell_checker({"three"});
  CHECK(text_of(file) == "one\ntwo\nthree\n");
}

TEST_CASE("lines go to a file that was made for them, not where links lead, nor into a FIFO",
          "[environment_mark]") {
  const kept_environment kept;
  const support::scratch_folder folder;
  const std::string file = folder / "file", link = folder / "link", twin = folder / "twin";
  std::ofstream{file} << "mine";
  REQUIRE(symlink(file.c_str(), link.c_str()) == 0);
  REQUIRE(::link(file.c_str(), twin.c_str()) == 0);
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (const std::string& to : {link, twin, folder / "fifo", folder / "missing", folder.path().string()}) {
    yoke::detail::listen_to_children(to);
    yoke::detail::tell_checker({"a line"});
  }
  CHECK(text_of(file) == "mine");
  CHECK_FALSE(std::filesystem::exists(folder / "missing"));
}
