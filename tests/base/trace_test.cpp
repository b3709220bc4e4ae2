#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <support/assertions.hpp>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
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

TEST_CASE("a span keeps its track, names, arguments and length", "[trace]") {
  yoke::trace_recorder recorder{{"a", "b"}};
  const yoke::ticks start = yoke::now();
  const yoke::ticks end = start + 1'000'000;
  recorder.span(1, "task", "compute", start, end, {{{"zone", 7}, {"weight", 0.25}}});
  recorder.span(0, "copy", "migrate", end, end);
  const std::vector<json> spans = events(recorder, "X");
  REQUIRE(spans.size() == 2);
  CHECK(spans[1].at("tid") == 1);
  CHECK(spans[1].at("cat") == "task");
  CHECK(spans[1].at("name") == "compute");
  CHECK(spans[1].at("args") == json{{"zone", 7}, {"weight", 0.25}});
  CHECK(spans[1].at("ts").get<double>() >= 0);
  CHECK(spans[1].at("dur").get<double>() == Approx(yoke::elapsed(start, end) * 1e6).margin(0.001));
  CHECK(spans[0].at("args").empty());
}

TEST_CASE("a span is written before those inside it, although it ends later", "[trace]") {
  yoke::trace_recorder recorder{{"a"}};
  const yoke::ticks start = yoke::now();
  recorder.span(0, "c", "inside", start, start + 1000);
  recorder.span(0, "c", "inside, later", start + 2000, start + 3000);
  recorder.span(0, "c", "all", start, start + 3000);
  std::vector<std::string> names;
  for (const json& span : events(recorder, "X")) names.push_back(span.at("name"));
  CHECK(names == std::vector<std::string>{"all", "inside", "inside, later"});
}

TEST_CASE("spans that lie across each other are shown on several tracks, each with its name", "[trace]") {
  yoke::trace_recorder recorder{{"shared", "own"}};
  const yoke::ticks start = yoke::now(), unit = 100'000;
  recorder.span(0, "c", "first", start, start + 2 * unit);
  recorder.span(0, "c", "across the first", start + unit, start + 3 * unit);
  recorder.span(0, "c", "behind both", start + 3 * unit, start + 4 * unit);
  recorder.span(1, "c", "of another track", start + unit, start + 3 * unit);
  std::map<int, std::string> tracks;
  for (const json& event : events(recorder, "M"))
    if (event.at("name") == "thread_name") tracks[event.at("tid")] = event.at("args").at("name");
  CHECK(tracks == std::map<int, std::string>{{0, "shared"}, {1, "shared (2)"}, {2, "own"}});
  std::map<std::string, int> track_of;
  for (const json& span : events(recorder, "X")) track_of[span.at("name")] = span.at("tid");
  CHECK(track_of == std::map<std::string, int>{
                        {"first", 0}, {"across the first", 1}, {"behind both", 0}, {"of another track", 2}});
}

TEST_CASE("spans that touch stay on one track, however their times are rounded", "[trace]") {
  yoke::trace_recorder recorder{{"a"}};
  const yoke::ticks start = yoke::now();
  for (int i = 0; i < 1000; ++i) recorder.span(0, "c", "one", start + 7 * i, start + 7 * (i + 1));
  std::int64_t last_end = 0;
  const auto nanoseconds = [](const json& microseconds) {
    return std::llround(microseconds.get<double>() * 1000);
  };
  for (const json& span : events(recorder, "X")) {
    REQUIRE(span.at("tid") == 0);
    REQUIRE(nanoseconds(span.at("ts")) >= last_end);
    last_end = nanoseconds(span.at("ts")) + nanoseconds(span.at("dur"));
  }
  CHECK(last_end > 0);
}

TEST_CASE("a trace that cannot be written is an error that names the path", "[trace]") {
  const yoke::trace_recorder recorder{{"a"}};
  const support::scratch_folder folder;
  const std::string missing = folder / "folder/t.json";
  const std::string message = support::message_of([&] { recorder.write(missing); });
  CHECK_THAT(message, Catch::Contains(missing) && Catch::Contains("No such file"));
  CHECK_THAT(support::message_of([&] { recorder.write("/dev/full"); }),
             Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}

TEST_CASE("a written trace is what json() gives", "[trace]") {
  yoke::trace_recorder recorder{{"a"}};
  recorder.span(0, "task", "t", yoke::now(), yoke::now());
  const support::scratch_folder folder;
  const std::string path = folder / "t.json";
  recorder.write(path);
  std::ifstream file{path};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  CHECK(text == recorder.json());
}

TEST_CASE("a trace is text for strict readers, whatever names and numbers there are", "[trace]") {
  yoke::trace_recorder recorder{{"track \xff"}};
  const yoke::trace_arguments arguments{{{"weight", std::numeric_limits<double>::infinity()}}};
  recorder.span(0, "task", "kernel \xc3(\x1b[31m", yoke::now(), yoke::now(), arguments);
  const json trace = json::parse(recorder.json());  // refuses bytes that are no UTF-8, and inf
  CHECK(trace.at("traceEvents").at(0).at("args").at("name") == "track \\xff");
  CHECK(trace.at("traceEvents").at(2).at("name") == "kernel \\xc3(\x1b[31m");
  CHECK(trace.at("traceEvents").at(2).at("args").at("weight").is_null());
}

#ifndef YOKE_SANITIZED  // its allocator ends the process
TEST_CASE("spans for which there is no memory are told when the trace is written, and end no run",
          "[trace]") {
  yoke::trace_recorder recorder{{"a"}};
  recorder.span(0, "task", "kept", yoke::now(), yoke::now());
  const std::string_view huge{"", std::size_t{1} << 60};  // nobody looks at it: there is no memory for it
  CHECK_NOTHROW(recorder.span(0, "task", huge, yoke::now(), yoke::now()));
  CHECK_NOTHROW(recorder.span(0, "task", huge, yoke::now(), yoke::now()));
  const support::scratch_folder folder;
  const std::string path = folder / "t.json";
  CHECK(recorder.lost() == 2);
  CHECK_THAT(support::message_of<yoke::out_of_memory>([&] { recorder.write(path); }),
             Catch::Contains(path + " lacks 2 events"));
  std::ifstream file{path};
  CHECK(json::parse(file) == json::parse(recorder.json()));
  CHECK(events(recorder, "X").size() == 1);
}
#endif

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

TEST_CASE("a span for a track that does not exist breaks an assertion", "[trace][assertion]") {
  yoke::trace_recorder recorder{{"a"}};
  for (const int track : {-1, 1}) {
    CHECK_THAT(support::assertion_of([&] { recorder.span(track, "c", "n", yoke::now(), yoke::now()); }),
               Catch::Contains("no such trace track"));
  }
}
