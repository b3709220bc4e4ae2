// Several pieces of work as one.
#include "engine_core.hpp"

#include <algorithm>
#include <utility>

namespace yoke::flow {

namespace {

/// What the steps do with each piece together.
std::vector<argument> together(std::span<const step> steps) {
  std::vector<argument> all;
  for (const step& each : steps)
    for (const argument& use : each.arguments) add(all, use);
  return all;
}

std::string names_of(std::span<const step> steps) {
  std::string all;
  for (const step& each : steps) all += (all.empty() ? "" : ", ") + each.what->name;
  return all;
}

/// A graph of a device, destroyed with the last plan that has it.
class recorded {
 public:
  /// `run(stream)` is recorded.
  template <class Run>
  recorded(device& dev, const Run& run) : device_{dev} {
    const stream_handle stream = dev.create_stream();
    try {
      dev.begin_capture(stream);
      try {
        run(stream);
      } catch (...) {
        abandon(stream);
        throw;
      }
      graph_ = dev.end_capture(stream);
    } catch (...) {
      dev.destroy_stream(stream);
      throw;
    }
    dev.destroy_stream(stream);
  }
  ~recorded() { device_.destroy_graph(graph_); }
  recorded(const recorded&) = delete;
  recorded& operator=(const recorded&) = delete;

  void replay(stream_handle on) const { device_.replay(graph_, on); }

 private:
  void abandon(stream_handle stream) noexcept {
    try {
      device_.destroy_graph(device_.end_capture(stream));
    } catch (...) {  // NOLINT(bugprone-empty-catch)
      // The first error is on its way.
    }
  }

  device& device_;
  graph_handle graph_{};
};

}  // namespace

void add(std::vector<argument>& all, const argument& next) {
  const auto same = std::ranges::find(all, next.what, &argument::what);
  if (same == all.end())
    all.push_back(next);
  else if (same->as == role::in && next.as != role::in)
    same->as = role::inout;
}

step engine_core::fuse(lane_id on, std::span<const step> steps) {
  refuse_in_work("fusing", "asked for");
  check_lane(on);
  struct placed_step {
    std::shared_ptr<const plan> what;
    std::vector<void*> addresses;
  };
  std::vector<placed_step> all;
  {
    const table_guard table{table_lock_};
    for (const step& each : steps) {
      all.push_back({each.what, {}});
      for (const argument& use : each.arguments)
        all.back().addresses.push_back(address(use.what, use.memory.value_or(memory_of(on))));
    }
  }
  const auto run_all = [all = std::move(all), memory = memory_of(on)](device* dev, stream_handle stream) {
    for (const placed_step& each : all) each.what->run({dev, stream, memory, each.addresses});
  };
  auto what = std::make_shared<plan>(plan{names_of(steps), {}});
  what->marks_end = !steps.empty() && steps.back().what->marks_end;
  if (memory_of(on) == host_space) {
    what->run = [run_all](const site&) { run_all(nullptr, {}); };
  } else {
    device& dev = queue_at(on).of->dev();
    const at_work here{*this};
    const auto graph =
        std::make_shared<const recorded>(dev, [&](stream_handle stream) { run_all(&dev, stream); });
    // The steps, too: kernels of the graph read what their plans keep.
    what->run = [graph, run_all](const site& at) { graph->replay(at.stream); };
  }
  return {std::move(what), together(steps)};
}

}  // namespace yoke::flow
