/// What an enqueue takes on the host beside a launch by hand.
#include "empty_kernel.hpp"
#include "program/command_line.hpp"
#include "record/record.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/engine.hpp>
#include <yoke/runtime.hpp>

namespace {

using json = nlohmann::ordered_json;
using yoke::flow::argument;
using yoke::flow::role;

struct arguments {
  std::string devices = "auto";
  int times = 1000;
  int samples = 11;
  std::string json_file;
};

/// Host seconds of each call, of as many as there are before anything is waited for.
template <class Call, class Wait>
double seconds_of(int times, const Call& call, const Wait& wait) {
  const yoke::ticks from = yoke::now();
  for (int i = 0; i < times; ++i) call();
  const yoke::seconds spent = yoke::elapsed(from, yoke::now());
  wait();
  return spent / times;
}

/// Without the first, which warms up.
double median(std::vector<double> of) {
  of.erase(of.begin());
  std::ranges::sort(of);
  return of[of.size() / 2];
}

struct form {
  const char* name;
  std::vector<argument> uses;
  std::vector<double> samples{};
};

void write(const arguments& in, yoke::runtime& rt, double launch, std::span<const form> forms) {
  json out{{"schema", "yoke-enqueue/1"},
           {"record", record::of_run(rt)},
           {"times", in.times},
           {"launch_ns", launch * 1e9},
           {"enqueue", json::array()}};
  fmt::print("{}: a launch by hand takes {:.0f} ns of the host\n", rt.devices()[0]->info().name,
             launch * 1e9);
  for (const form& each : forms) {
    const double enqueue = median(each.samples);
    fmt::print("an enqueue {:<12} {:5.0f} ns, {:4.0f} more\n", each.name, enqueue * 1e9,
               (enqueue - launch) * 1e9);
    out["enqueue"].push_back({{"pieces", each.uses.size()}, {"ns", enqueue * 1e9}});
  }
  if (!in.json_file.empty()) record::write_json(in.json_file, out);
}

void measure(const arguments& in) {
  yoke::runtime rt{yoke::runtime_options{.cus = "+1", .devices = in.devices}};
  yoke::device& dev = *rt.devices()[0];
  const yoke::stream_handle stream = dev.create_stream();
  yoke::flow::engine engine{rt.devices(), {}};
  const auto kernel = std::make_shared<yoke::flow::plan>(yoke::flow::plan{
      "empty", [](const yoke::flow::site& at) { enqueues::launch_empty(*at.dev, at.stream); }});
  const yoke::flow::lane_id queue = engine.queue(yoke::space_id{1});
  // Pieces without bytes: what is measured is what is decided.
  const auto add = [&](const char* name) { return engine.add(name, 0, {&dev, &dev}); };
  const yoke::versions::piece x = add("x"), y = add("y"), z = add("z");
  for (const yoke::versions::piece each : {x, y, z})
    engine.enqueue(queue, kernel, std::vector{argument{each, role::out}});
  std::vector<form> forms{{"of no piece", {}},
                          {"of one", {{x, role::inout}}},
                          {"of three", {{x, role::in}, {y, role::in}, {z, role::inout}}}};
  std::vector<double> by_hand;
  for (int i = 0; i <= in.samples; ++i) {  // by turns
    by_hand.push_back(
        seconds_of(in.times, [&] { enqueues::launch_empty(dev, stream); }, [&] { dev.synchronize(stream); }));
    for (form& each : forms)
      each.samples.push_back(
          seconds_of(in.times, [&] { engine.enqueue(queue, kernel, each.uses); }, [&] { engine.wait(); }));
  }
  dev.destroy_stream(stream);
  write(in, rt, median(by_hand), forms);
}

}  // namespace

int main(int argc, char** argv) {
  arguments in;
  bench::command_line app{"yoke-bench-enqueue",
                          "Host time of an enqueue of an empty kernel beside a launch by hand."};
  app.add("--devices", in.devices, "as YOKE_DEVICES; the first is used");
  app.add("--times", in.times, "calls before anything is waited for", bench::between(1, 4000));
  app.add("--samples", in.samples, "of which the median is taken, by turns", bench::between(1, 1000));
  app.add("--json", in.json_file, "also write the figures to this file");
  return app.run(argc, argv, [&] {
    measure(in);
    return 0;
  });
}
