#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <unistd.h>

#include <yoke/clock.hpp>
#include <yoke/trace.hpp>

using nlohmann::json;

namespace {

/// Events of one kind ("X" spans, "M" metadata) of the trace.
std::vector<json> events(const yoke::trace_recorder& recorder, const std::string& kind) {
  std::vector<json> found;
  const json trace = json::parse(recorder.json());
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == kind) found.push_back(event);
  }
  return found;
}

}  // namespace

TEST_CASE("a trace has one named track per name, in the given order", "[trace]") {
  const yoke::trace_recorder recorder{{"CPU CU 0", "GPU \"1\"\\\n"}};
  std::vector<std::string> names(2);
  std::vector<int> order(2);
  for (const json& event : events(recorder, "M")) {
    const int track = event.at("tid");
    if (event.at("name") == "thread_name") names.at(track) = event.at("args").at("name");
    if (event.at("name") == "thread_sort_index") order.at(track) = event.at("args").at("sort_index");
  }
  CHECK(names == std::vector<std::string>{"CPU CU 0", "GPU \"1\"\\\n"});
  CHECK(order == std::vector{0, 1});
}

TEST_CASE("a span keeps its track, names, argument and length", "[trace]") {
  yoke::trace_recorder recorder{{"a", "b"}};
  const yoke::ticks start = yoke::now();
  const yoke::ticks end = start + 1'000'000;
  recorder.span(1, "task", "compute", start, end, "zone", 7);
  recorder.span(0, "copy", "migrate", end, end);
  const std::vector<json> spans = events(recorder, "X");
  REQUIRE(spans.size() == 2);
  CHECK(spans[1].at("tid") == 1);
  CHECK(spans[1].at("cat") == "task");
  CHECK(spans[1].at("name") == "compute");
  CHECK(spans[1].at("args").at("zone") == 7);
  CHECK(spans[1].at("ts").get<double>() >= 0);
  CHECK(spans[1].at("dur").get<double>() == Approx(yoke::elapsed(start, end) * 1e6).margin(0.001));
  CHECK_FALSE(spans[0].contains("args"));
}

TEST_CASE("a trace that cannot be written is an error that names the path", "[trace]") {
  const yoke::trace_recorder recorder{{"a"}};
  const std::string message = support::message_of([&] { recorder.write("/nonexistent/folder/t.json"); });
  CHECK_THAT(message, Catch::Contains("/nonexistent/folder/t.json") && Catch::Contains("No such file"));
  CHECK_THAT(support::message_of([&] { recorder.write("/dev/full"); }),
             Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}

TEST_CASE("a written trace is what json() gives", "[trace]") {
  yoke::trace_recorder recorder{{"a"}};
  recorder.span(0, "task", "t", yoke::now(), yoke::now());
  const auto path = std::filesystem::temp_directory_path() / ("yoke_trace_test_" + std::to_string(getpid()));
  recorder.write(path.string());
  std::ifstream file{path};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  std::filesystem::remove(path);
  CHECK(text == recorder.json());
}

TEST_CASE("the clock never runs backwards", "[clock]") {
  yoke::ticks last = yoke::now();
  bool backwards = false;
  for (int i = 0; i < 100000; ++i) {
    const yoke::ticks next = yoke::now();
    backwards = backwards || next < last;
    last = next;
  }
  CHECK_FALSE(backwards);
}

// Each clock is read around the other, so that a preemption in between cannot make the test fail.
TEST_CASE("a span of the clock is as long as steady_clock says, to a part in a thousand", "[clock]") {
  using steady = std::chrono::steady_clock;
  const yoke::ticks outer_start = yoke::now();
  const steady::time_point start = steady::now();
  const yoke::ticks inner_start = yoke::now();
  while (steady::now() - start < std::chrono::milliseconds{5}) {
  }
  const yoke::ticks inner_end = yoke::now();
  const steady::time_point end = steady::now();
  const yoke::ticks outer_end = yoke::now();
  const double passed = std::chrono::duration<double>(end - start).count();
  CHECK(yoke::elapsed(outer_start, outer_end) >= passed * 0.999);
  CHECK(yoke::elapsed(inner_start, inner_end) <= passed * 1.001);
}
