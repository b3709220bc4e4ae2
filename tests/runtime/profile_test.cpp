#include "../../runtime/src/profile_file.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
#include <support/variable.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <yoke/learner.hpp>
#include <yoke/yoke.hpp>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using yoke::runtime;
using yoke::detail::profile_book;
using yoke::detail::read_book;

using support::scratch_folder;

namespace {

std::string text_in(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const std::string& path, const std::string& text) { std::ofstream{path} << text; }

/// What a schedule is told and tells.
struct account {
  yoke::profile told;
  yoke::profile to_tell;
};
account& of_test() {
  static account all;
  return all;
}

/// Everything on CU 0; learns what the test wants.
class learning_schedule final : public yoke::schedule, public yoke::learner {
 public:
  explicit learning_schedule(int n_tasks) {
    for (int t = 0; t < n_tasks; ++t) all_.push_back(yoke::task_id{t});
  }
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    if (unit != 0 || pass < next_) return {};
    next_ = pass + 1;
    return all_;
  }
  std::string describe() const override { return "learning"; }
  yoke::learner* learning() override { return this; }
  yoke::profile learnt() const override { return of_test().to_tell; }
  void recall(const yoke::profile& earlier) override { of_test().told = earlier; }

 private:
  std::vector<yoke::task_id> all_;
  yoke::pass_id next_ = 0;
};

yoke::profile with_speed(double per_weight) {
  return {.units = {{.usual = {0, per_weight}, .careful = {0, per_weight}}, {.runs = 0}}, .maps = {}};
}

/// What an earlier run has told of CU 0 to a run that learns `speed` in `file`; 0: nothing.
double run_with(const std::string& file, double speed, const std::string& name = "work", int loops = 1) {
  of_test() = {.told = {}, .to_tell = with_speed(speed)};
  runtime rt{{.schedule = "learning", .profile = yoke::sourced{file, "--profile"}}};
  for (int i = 0; i < loops; ++i) {
    of_test().told = {};
    yoke::task_loop loop = rt.make_loop({.n_tasks = 3, .name = name});
    rt.run(loop, [](std::span<const yoke::task_id>) {});
  }
  return of_test().told.is_empty() ? 0 : of_test().told.units[0].usual.per_weight;
}

std::string notes_with(const std::string& file) {
  const runtime rt{{.profile = yoke::sourced{file, "--profile"}}};
  std::string all;
  for (const std::string& note : rt.notes())
    if (note.starts_with("profile: ")) all += note + "\n";
  return all;
}

std::string value_of(const runtime& rt, const std::string& name) {
  for (const yoke::setting_in_force& each : rt.settings_in_force())
    if (each.name == name) return each.value;
  return "";
}

const bool is_registered = [] {
  yoke::scheduling::register_schedule(
      "learning", [](const auto&, const yoke::workload& work, std::span<const yoke::unit>) {
        return std::make_unique<learning_schedule>(work.n_tasks);
      });
  return true;
}();

}  // namespace

TEST_CASE("a run begins with what the one before has learnt", "[profile]") {
  REQUIRE(is_registered);
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  CHECK(run_with(file, 0.5) == 0);
  CHECK(run_with(file, 0.25) == 0.5);
  CHECK(run_with(file, 7) == 0.25);
  CHECK(notes_with(file) == "");
}

TEST_CASE("other work, another number of loops and another program learn by themselves", "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  CHECK(run_with(file, 0.5, "a") == 0);
  CHECK(run_with(file, 0.25, "b") == 0);
  CHECK(run_with(file, 1, "a", 2) == 0);  // the second loop of equal work
  CHECK(run_with(file, 1, "a", 1) == 0.5);
  CHECK(run_with(file, 1, "b", 1) == 0.25);
  CHECK(run_with(file, 0.5, "\xff") == 0);  // no text
  CHECK(run_with(file, 1, "\xfe") == 0);
  CHECK(run_with(file, 1, "\xff") == 0.5);
}

TEST_CASE("a loop that failed, or has learnt nothing, leaves the profile alone", "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  of_test().to_tell = with_speed(1);
  {
    runtime rt{{.schedule = "learning", .profile = file}};
    yoke::task_loop loop = rt.make_loop({.n_tasks = 3});
    CHECK_THROWS(rt.run(loop, [](std::span<const yoke::task_id>) { throw std::runtime_error{"body"}; }));
  }
  CHECK(run_with(file, 0) == 0);
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("what a loop has learnt is kept also where it outlives its runtime", "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  of_test() = {.told = {}, .to_tell = with_speed(0.125)};
  {
    std::optional<yoke::task_loop> loop;
    runtime rt{{.schedule = "learning", .profile = file}};
    loop.emplace(rt.make_loop({.n_tasks = 3, .name = "work"}));
    rt.run(*loop, [](std::span<const yoke::task_id>) {});
    CHECK_FALSE(fs::exists(file));
  }
  CHECK(run_with(file, 1) == 0.125);
}

TEST_CASE("without a profile nothing is read or written", "[profile]") {
  const scratch_folder folder;
  const support::variable cache{"XDG_CACHE_HOME", folder.path().string()};
  CHECK(run_with("none", 0.5) == 0);
  CHECK(run_with("none", 0.5) == 0);
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("by default the profile is in the cache folder of the user", "[profile]") {
  const scratch_folder folder;
  yoke::detail::unset_environment("YOKE_PROFILE");
  const auto place = [] { return value_of(runtime{}, "YOKE_PROFILE"); };
  {
    const support::variable cache{"XDG_CACHE_HOME", folder / "cache"}, home{"HOME", folder.path().string()};
    CHECK(place() == folder / "cache/yoke/profiles.json");
    of_test() = {.told = {}, .to_tell = with_speed(2)};
    {
      runtime rt;
      yoke::task_loop loop = rt.make_loop("learning", {.n_tasks = 3, .name = "work"});
      rt.run(loop, [](std::span<const yoke::task_id>) {});
    }
    CHECK(fs::is_regular_file(folder / "cache/yoke/profiles.json"));
    CHECK(fs::status(folder / "cache/yoke").permissions() == fs::perms::owner_all);
    const support::variable relative{"XDG_CACHE_HOME", "cache"};
    CHECK(place() == folder / ".cache/yoke/profiles.json");
  }
  {
    const support::variable cache{"XDG_CACHE_HOME", ""}, home{"HOME", ""};
    CHECK(place() == "none");
  }
  yoke::detail::set_environment("YOKE_PROFILE", "none");
}

TEST_CASE("the option beats the variable, and an empty path is refused", "[profile]") {
  const support::variable set{"YOKE_PROFILE", "a.json"};
  CHECK(value_of(runtime{}, "YOKE_PROFILE") == "a.json");
  CHECK(value_of(runtime{{.profile = "none"}}, "YOKE_PROFILE") == "none");
  const auto refusal = [](const yoke::runtime_options& options) {
    return support::message_of([&] { const runtime rt{options}; });
  };
  CHECK_THAT(refusal({.profile = yoke::sourced{"", "--profile"}}),
             StartsWith("--profile : the path is empty"));
  const support::variable empty{"YOKE_PROFILE", ""};
  CHECK_THAT(refusal({.profile = "none"}), StartsWith("YOKE_PROFILE=: the path is empty"));
}

TEST_CASE("a file that is damaged, of another kind or no file is ignored with one line and stays",
          "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json", words = GENERATE("{", R"({"schema": "mine"})", "a diary");
  write(file, words);
  CHECK_THAT(notes_with(file), Contains(file) && Contains("not kept"));
  CHECK(run_with(file, 0.5) == 0);
  CHECK(run_with(file, 0.5) == 0);
  CHECK(text_in(file) == words);
  CHECK_FALSE(fs::exists(file + ".next"));
  CHECK_THAT(notes_with(folder.path().string()), Contains("is no regular file"));
  CHECK(run_with("/dev/null", 0.5) == 0);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a damaged file of the cache folder is replaced", "[profile]") {
  const scratch_folder folder;
  write(folder / "p.json", "{");
  yoke::detail::add_to_file({.path = folder / "p.json", .is_own = true},
                            {{yoke::detail::profile_key{}, {.when = 1, .learnt = with_speed(3)}}});
  REQUIRE(read_book(folder / "p.json").find({}) != nullptr);
}

TEST_CASE("a profile of another machine is ignored with one line, and kept", "[profile]") {
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  const yoke::detail::profile_key foreign{.machine = "elsewhere"};
  yoke::detail::add_to_file({.path = file}, {{foreign, {.when = 1, .learnt = with_speed(3)}}});
  CHECK_THAT(notes_with(file), Contains("nothing of this machine"));
  CHECK(run_with(file, 0.5) == 0);
  CHECK(run_with(file, 0.5) == 0.5);
  CHECK(read_book(file).find(foreign) != nullptr);
  CHECK(notes_with(file) == "");
}

TEST_CASE("a folder that cannot be written costs the profile and nothing else", "[profile]") {
  const scratch_folder folder;
  write(folder / "no-folder", "");
  CHECK(run_with(folder / "no-folder/p.json", 0.5) == 0);  // for root, too
  CHECK(text_in(folder / "no-folder").empty());
  if (geteuid() == 0) return support::skip("root may write in any folder");
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(run_with(folder / "p.json", 0.5) == 0);
  CHECK(fs::is_empty(folder.path()));
}

namespace {

/// Adds a run of work `p`; whether it is there afterwards. A lock that is not to be had in time is waited
/// for: on a machine with much else to do it may take longer than a program waits for it.
bool adds_a_run(const std::string& file, int p) {
  const yoke::detail::profile_key key{.work = std::to_string(p)};
  while (true) {
    try {
      yoke::detail::add_to_file({.path = file}, {{key, {.when = 1, .learnt = with_speed(1)}}});
      return read_book(file).find(key) != nullptr;
    } catch (const std::exception& problem) {
      if (std::string_view{problem.what()}.find("cannot be locked") != std::string_view::npos) continue;
      std::fprintf(stderr, "%s\n", problem.what());
      return false;
    }
  }
}

pid_t start_adding(const std::string& file, int p, int n_runs) {
  const pid_t child = fork();
  if (child != 0) return child;
  bool is_good = true;
  for (int r = 0; r < n_runs && is_good; ++r) is_good = adds_a_run(file, p);
  _exit(is_good ? 0 : 1);
}

}  // namespace

TEST_CASE("many processes at once lose nothing of each other, and a reader never sees half a file",
          "[profile]") {
  constexpr int n_processes = 12, n_runs = 5;
  const scratch_folder folder;
  const std::string file = folder / "p.json";
  std::vector<pid_t> children;
  for (int p = 0; p < n_processes; ++p) children.push_back(start_adding(file, p, n_runs));
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  const profile_book book = read_book(file);
  for (int p = 0; p < n_processes; ++p) {
    const auto* const entry = book.find({.work = std::to_string(p)});
    REQUIRE(entry != nullptr);
    CHECK(entry->runs.size() == n_runs);
  }
  CHECK_FALSE(fs::exists(file + ".next"));
}
