#include "traced_device.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace yoke::detail {

namespace {

/// In front of the arguments of a kernel, whose alignment it keeps: a cache line, as an emulated device
/// gives.
struct alignas(64) observed_kernel {
  trace_recorder* trace;
  int track;
  kernel_call call;
};

/// Runs all items of the kernel whose arguments follow.
void run_observed(const void* arguments, const item_range&) {
  const auto& observed = *static_cast<const observed_kernel*>(arguments);
  const kernel_call& call = observed.call;
  const void* const own = static_cast<const std::byte*>(arguments) + sizeof(observed_kernel);
  const ticks from = now();
  call.host_entry(own, all_of(call));
  observed.trace->span(observed.track, "kernel", call.name, from, now());
}

}  // namespace

void traced_device::launch(stream_handle stream, const kernel_call& call) {
  const bool runs_here = info().emulated && call.host_entry != nullptr;
  if (!runs_here || is_empty(call.items)) {
    const ticks from = now();
    streams().launch(stream, call);
    return trace_.by_caller("launch", call.name, from, now());
  }
  std::vector<std::byte> arguments(sizeof(observed_kernel) + call.argument_bytes);
  const observed_kernel observed{&trace_.recorder(), kernel_track_, call};
  std::memcpy(arguments.data(), &observed, sizeof observed);
  if (call.argument_bytes > 0)
    std::memcpy(arguments.data() + sizeof observed, call.arguments, call.argument_bytes);
  kernel_call shown = call;
  shown.items = {.x = 1};
  shown.host_entry = &run_observed;
  shown.arguments = arguments.data();
  shown.argument_bytes = arguments.size();
  streams().launch(stream, shown);
}

void traced_device::replay(graph_handle graph, stream_handle stream) {
  const ticks from = now();
  graphs().replay(graph, stream);
  trace_.by_caller("launch", "replay of a graph", from, now());
}

void trace_devices(gpu_units& gpus, trace_tracks& trace) {
  int track = 0;
  for (auto* const some : {&gpus.devices, &gpus.slices}) {
    for (std::unique_ptr<device>& each : *some) {
      device* const real = each.get();
      each = std::make_unique<traced_device>(std::move(each), trace, trace.kernel_track(track++));
      std::ranges::replace(gpus.of_unit, real, each.get());
    }
  }
}

}  // namespace yoke::detail
