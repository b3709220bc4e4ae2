#include "helpers.hpp"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <support/catch.hpp>
#include <unistd.h>

using yoke::runtime;
using yoke::sourced;
using yoke::task_id;

namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

int occurrences(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("the trace has a track per CU and a span per task, and is written when the runtime ends",
          "[runtime]") {
  const std::string path = (std::filesystem::temp_directory_path() / "yoke_runtime_trace_test.json").string();
  {
    runtime rt{{.cus = sourced{"1x1+1", "test"},
                .devices = sourced{"emulated:1", "test"},
                .trace = sourced{path, "test"}}};
    pieces data{6, 10};
    yoke::task_loop loop = rt.make_loop(std::make_unique<round_robin>(6, 2), {.n_tasks = 6});
    loop.set_timing(false);  // the trace needs the clock all the same
    rt.run(loop, [&](std::span<const task_id> batch) {
      for (const task_id task : batch) data.add_one_to(task);
    });
    CHECK(rt.trace() != nullptr);
    CHECK(data.all_are(1));
  }
  const std::string text = content(path);
  std::filesystem::remove(path);
  CHECK_THAT(text, Catch::Contains("CU 0 (CPUs {") && Catch::Contains("emulated:0)"));
  for (int t = 0; t < 6; ++t) CHECK(occurrences(text, "\"args\":{\"task\":" + std::to_string(t) + "}") == 1);
  CHECK(occurrences(text, "\"name\":\"to device\"") == 3);  // the tasks of CU 1
  CHECK(occurrences(text, "\"name\":\"to host\"") == 3);
  CHECK(occurrences(text, "\"args\":{\"bytes\":80}") == 6);
  CHECK(occurrences(text, "\"cat\":\"batch\"") == 2);  // those of two tasks; one for each CU
}

TEST_CASE("each runtime writes a trace of its own, whatever path it is given", "[runtime]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("yoke_traces_{}", getpid());
  fs::create_directory(folder);
  const auto traced_by = [&](const fs::path& path) {
    return runtime{{.cus = sourced{"1x1", "test"}, .trace = sourced{path.string(), "--trace"}}};
  };
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator{folder}) all.insert(entry.path().filename());
    return all;
  };
  {
    const runtime first = traced_by(folder / "t.json");
    const runtime second = traced_by(folder / "." / "t.json");
    CHECK(first.notes().empty());
    REQUIRE(second.notes().size() == 1);
    CHECK_THAT(second.notes()[0], Catch::StartsWith("--trace ") && Catch::Contains("t.2.json"));
    fs::create_symlink("t.json", folder / "soft.json");
    fs::create_hard_link(folder / "t.json", folder / "hard.json");
    const runtime third = traced_by(folder / "soft.json");
    const runtime fourth = traced_by(folder / "hard.json");
  }
  static_cast<void>(traced_by(folder / "t.json"));  // also where the first has ended
  CHECK(names() == std::set<std::string>{"t.json", "t.2.json", "soft.json", "soft.2.json", "hard.json",
                                         "hard.2.json", "t.3.json"});
  const runtime nowhere = traced_by("/dev/null"), also_nowhere = traced_by("/dev/null");
  CHECK(also_nowhere.notes().empty());
  fs::remove_all(folder);
}

TEST_CASE("without a trace asked for nothing is recorded", "[runtime]") {
  runtime rt{{.cus = sourced{"1x1+1", "test"}, .devices = sourced{"emulated:1", "test"}}};
  CHECK(rt.trace() == nullptr);
  CHECK_NOTHROW(rt.write_trace());
}
