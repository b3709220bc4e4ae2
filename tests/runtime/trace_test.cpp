#include "helpers.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <support/catch.hpp>
#include <unistd.h>

using nlohmann::json;
using yoke::runtime;
using yoke::sourced;
using yoke::task_id;

namespace {

int files = 0;  ///< a path that an earlier runtime had would get another number

/// What a program that traces leaves behind: spans by the names of their tracks.
struct trace_file {
  std::map<int, std::string> tracks;
  std::vector<json> spans;

  /// Runs `body` on a runtime of 1x1+1 and reads what it wrote.
  template <class Body>
  explicit trace_file(const Body& body) {
    const auto path =
        std::filesystem::temp_directory_path() / fmt::format("yoke_runtime_trace_{}_{}", getpid(), files++);
    {
      runtime rt{{.cus = sourced{"1x1+1", "test"},
                  .devices = sourced{"emulated:1", "test"},
                  .trace = sourced{path.string(), "test"}}};
      body(rt);
    }
    std::ifstream file{path};
    const json trace = json::parse(file);
    std::filesystem::remove(path);
    for (const json& event : trace.at("traceEvents")) {
      if (event.at("ph") == "X") spans.push_back(event);
      if (event.at("name") == "thread_name") tracks[event.at("tid")] = event.at("args").at("name");
    }
  }

  /// Arguments of the spans of this category on the track whose name begins so, in order of time.
  std::vector<json> of(const std::string& track, const std::string& category) const {
    std::vector<json> found;
    for (const json& span : spans) {
      if (span.at("cat") == category && tracks.at(span.at("tid")).starts_with(track))
        found.push_back(span.at("args"));
    }
    return found;
  }
  std::multiset<std::string> names(const std::string& track, const std::string& category) const {
    std::multiset<std::string> found;
    for (const json& span : spans) {
      if (span.at("cat") == category && tracks.at(span.at("tid")).starts_with(track))
        found.insert(span.at("name").get<std::string>());
    }
    return found;
  }
};

const std::string cpu_track = "CU 0 (CPUs {", gpu_track = "CU 1 (CPU {";
const std::string shares_of_cpu = "CU 0: shares", shares_of_gpu = "CU 1: shares";

}  // namespace

TEST_CASE("a batch is shown with its loop and pass, and its shares on a track of their own", "[runtime]") {
  const trace_file trace{[](runtime& rt) {
    yoke::task_loop other = rt.make_loop("static", {.n_tasks = 0});
    yoke::task_loop loop =
        rt.make_loop(std::make_unique<round_robin>(6, 2), {.n_tasks = 6, .weights = {1, 1, 2, 1, 0.5, 1}});
    loop.set_timing(false);  // the trace needs the clock all the same
    for (int pass = 0; pass < 2; ++pass) rt.run(loop, [](std::span<const task_id>) {});
  }};
  // The tasks of CU 0 are 0, then 2 and 4: a batch of one is the task itself.
  CHECK(trace.of(cpu_track, "task") ==
        std::vector<json>{{{"loop", 1}, {"pass", 0}, {"task", 0}, {"weight", 1}},
                          {{"loop", 1}, {"pass", 1}, {"task", 0}, {"weight", 1}}});
  CHECK(trace.of(cpu_track, "batch") ==
        std::vector<json>{{{"loop", 1}, {"pass", 0}, {"tasks", 2}, {"weight", 2.5}},
                          {{"loop", 1}, {"pass", 1}, {"tasks", 2}, {"weight", 2.5}}});
  CHECK(trace.of(shares_of_cpu, "apportioned") ==
        std::vector<json>{{{"loop", 1}, {"pass", 0}, {"task", 2}, {"weight", 2}},
                          {{"loop", 1}, {"pass", 0}, {"task", 4}, {"weight", 0.5}},
                          {{"loop", 1}, {"pass", 1}, {"task", 2}, {"weight", 2}},
                          {{"loop", 1}, {"pass", 1}, {"task", 4}, {"weight", 0.5}}});
  CHECK(trace.of(shares_of_gpu, "apportioned").size() == 4);
  CHECK(trace.of(cpu_track, "apportioned").empty());
}

TEST_CASE("what migrate moves is shown on the track of the CU that asked, with its bytes", "[runtime]") {
  const trace_file trace{[](runtime& rt) {
    pieces data{6, 10};
    yoke::task_loop loop = rt.make_loop(std::make_unique<round_robin>(6, 2), {.n_tasks = 6});
    rt.run(loop, [&](std::span<const task_id> batch) {
      for (const task_id task : batch) data.add_one_to(task);
    });
    CHECK(data.all_are(1));
  }};
  CHECK(trace.names(gpu_track, "placement") ==
        std::multiset<std::string>{"to device", "to device", "to device"});
  CHECK(trace.names("outside", "placement") == std::multiset<std::string>{"to host", "to host", "to host"});
  CHECK(trace.of(gpu_track, "placement").front() == json{{"bytes", 80}});
}

TEST_CASE("kernels are shown by their names where they run", "[runtime]") {
  const trace_file trace{[](runtime& rt) {
    pieces data{6, 10};
    yoke::task_loop loop = rt.make_loop(std::make_unique<round_robin>(6, 2), {.n_tasks = 6});
    rt.run(loop, [&](std::span<const task_id> batch) {
      for (const task_id task : batch) data.add_one_to(task);
    });
    CHECK(data.all_are(1));
  }};
  const std::multiset<std::string> three{"add_one", "add_one", "add_one"};
  CHECK(trace.names(cpu_track, "kernel") == three);
  CHECK(trace.names("kernels on emulated:0", "kernel") == three);
}

TEST_CASE("a traced kernel gets its arguments, in a graph and with any alignment", "[runtime]") {
  struct alignas(64) lanes {
    double value[8];
  };
  struct sum_lanes {
    YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> to, lanes from) const {
      for (const double each : from.value) to[at.y * 3 + at.x] += each;
    }
  };
  std::vector<double> found(6);
  const trace_file trace{[&](runtime& rt) {
    yoke::device& dev = *rt.devices().front();
    const yoke::stream_handle stream = dev.create_stream();
    auto* on_device = static_cast<double*>(dev.allocate(found.size() * sizeof(double)));
    const std::size_t bytes = found.size() * sizeof(double);
    dev.copy(stream, on_device, found.data(), bytes, yoke::copy_kind::host_to_device);
    dev.begin_capture(stream);
    yoke::launch<sum_lanes>(dev, stream, {.x = 3, .y = 2}, "sum_lanes", yoke::device_ptr{on_device},
                            lanes{{1, 2, 3, 4, 5, 6, 7, 8}});
    const yoke::graph_handle graph = dev.end_capture(stream);
    for (int i = 0; i < 3; ++i) dev.replay(graph, stream);
    dev.copy(stream, found.data(), on_device, bytes, yoke::copy_kind::device_to_host);
    dev.synchronize(stream);
    dev.destroy_graph(graph);
    dev.deallocate(on_device);
    dev.destroy_stream(stream);
  }};
  CHECK(found == std::vector<double>(6, 3 * 36));
  CHECK(trace.names("kernels on emulated:0", "kernel").count("sum_lanes") == 3);
  CHECK(trace.names("outside", "launch").count("replay of a graph") == 3);
}

TEST_CASE("waiting for the other CUs is shown, before a pass that is open and behind every one",
          "[runtime]") {
  const trace_file trace{[](runtime& rt) {
    yoke::task_loop open = rt.make_loop("dynamic", {.n_tasks = 4});
    rt.run(open, [](std::span<const task_id>) {});
    yoke::task_loop fixed = rt.make_loop("static", {.n_tasks = 4});
    rt.run(fixed, [](std::span<const task_id>) {});
  }};
  const std::multiset<std::string> waits{"line up", "wait for the other CUs", "wait for the other CUs"};
  CHECK(trace.names(cpu_track, "wait") == waits);
  CHECK(trace.names(gpu_track, "wait") == waits);
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
