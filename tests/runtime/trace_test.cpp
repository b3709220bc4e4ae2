#include "helpers.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <support/catch.hpp>

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

TEST_CASE("without a trace asked for nothing is recorded", "[runtime]") {
  runtime rt{{.cus = sourced{"1x1+1", "test"}, .devices = sourced{"emulated:1", "test"}}};
  CHECK(rt.trace() == nullptr);
  CHECK_NOTHROW(rt.write_trace());
}
