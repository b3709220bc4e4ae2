/// What an enqueue takes on the host beside a launch by hand.
#include "empty_kernel.hpp"
#include "program/command_line.hpp"
#include "record/median.hpp"
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

/// Seconds of each call: on the host, of as many as there are before anything is waited for, and until all
/// are through.
struct call_times {
  double on_host, until_through;
};
template <class Call, class Wait>
call_times times_of(int times, const Call& call, const Wait& wait) {
  const yoke::ticks from = yoke::now();
  for (int i = 0; i < times; ++i) call();
  const yoke::seconds on_host = yoke::elapsed(from, yoke::now());
  wait();
  return {on_host / times, yoke::elapsed(from, yoke::now()) / times};
}

/// Without the first, which warms up.
double median(std::vector<double> of) {
  of.erase(of.begin());
  return record::median(std::move(of));
}

/// A graph of ten empty kernels, by hand and as steps that are fused.
class ten_kernels {
 public:
  ten_kernels(yoke::device& dev, yoke::stream_handle stream, yoke::flow::engine& engine,
              const yoke::flow::step& one)
      : dev_{dev}, stream_{stream}, engine_{engine}, queue_{engine.queue(yoke::space_id{1})} {
    dev.begin_capture(stream);
    for (int i = 0; i < 10; ++i) enqueues::launch_empty(dev, stream);
    graph_ = dev.end_capture(stream);
    fused_ = engine.fuse(queue_, std::vector(10, one));
  }
  ~ten_kernels() { dev_.destroy_graph(graph_); }
  ten_kernels(const ten_kernels&) = delete;
  ten_kernels& operator=(const ten_kernels&) = delete;

  void sample(int times) {
    by_hand_.push_back(times_of(
                           times, [&] { dev_.replay(graph_, stream_); }, [&] { dev_.synchronize(stream_); })
                           .until_through);
    as_work_.push_back(
        times_of(
            times, [&] { engine_.enqueue(queue_, fused_.what, fused_.arguments); }, [&] { engine_.wait(); })
            .until_through);
  }
  json result() const {
    const double by_hand = median(by_hand_), as_work = median(as_work_);
    fmt::print("ten kernels: a graph by hand takes {:.2f} us, fused steps {:.2f} us, {:.3f} of it\n",
               by_hand * 1e6, as_work * 1e6, as_work / by_hand);
    return {{"graph_us", by_hand * 1e6}, {"fused_us", as_work * 1e6}};
  }

 private:
  yoke::device& dev_;
  yoke::stream_handle stream_;
  yoke::flow::engine& engine_;
  yoke::flow::lane_id queue_;
  yoke::graph_handle graph_;
  yoke::flow::step fused_;
  std::vector<double> by_hand_, as_work_;
};

struct form {
  const char* name;
  std::vector<argument> uses;
  std::vector<double> samples{};
};

void write(const arguments& in, yoke::runtime& rt, double launch, std::span<const form> forms,
           const ten_kernels& ten) {
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
  out["ten_kernels"] = ten.result();
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
  ten_kernels ten{dev, stream, engine, {kernel, {{x, role::inout}}}};
  std::vector<double> by_hand;
  for (int i = 0; i <= in.samples; ++i) {  // by turns
    by_hand.push_back(
        times_of(
            in.times, [&] { enqueues::launch_empty(dev, stream); }, [&] { dev.synchronize(stream); })
            .on_host);
    for (form& each : forms)
      each.samples.push_back(
          times_of(
              in.times, [&] { engine.enqueue(queue, kernel, each.uses); }, [&] { engine.wait(); })
              .on_host);
    ten.sample(in.times);
  }
  dev.destroy_stream(stream);
  write(in, rt, median(by_hand), forms, ten);
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
