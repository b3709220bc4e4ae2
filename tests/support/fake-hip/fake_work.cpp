// Launches, streams, events and graphs of the fake.
#include "fake_state.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace fake_hip {

namespace {

/// A capture that is waited for is broken.
bool breaks_capture(hipStream_t stream) {
  if (stream->capturing) stream->broken = true;
  return stream->capturing;
}

/// What the entry of a kernel finds behind its arguments.
yoke::detail::spread_items items_of(const kernel_entry& entry, const void* found) {
  if (entry.form == yoke::kernel_form::items_3d)
    return *static_cast<const yoke::detail::spread_items*>(found);
  const auto& items = *static_cast<const yoke::extent*>(found);
  return {.items = {.x = items.x, .y = items.y}};
}

/// Whether blocks, of which each has `of_block` items, reach to the end of `items`, or are as many as can be.
bool covers(std::int64_t items, unsigned blocks, std::int64_t of_block) {
  if (blocks == 0 || (blocks - std::int64_t{1}) * of_block >= items) return false;
  return blocks * of_block >= items || blocks == 65535;
}

/// What an MI50 can launch, and whether it covers the items.
bool fits(const kernel_entry& entry, dim3 grid, dim3 threads, std::size_t shared_bytes,
          const yoke::detail::spread_items& of) {
  const yoke::extent_3d& items = of.items;
  const std::uint64_t along_x = std::uint64_t{grid.x} * threads.x;
  const std::uint64_t in_block = std::uint64_t{threads.x} * threads.y * threads.z;
  const bool can_be = in_block >= 1 && in_block <= 1024 && threads.z <= 64 && along_x <= threads_along_x &&
                      grid.y <= 65535 && grid.z <= 65535 && shared_bytes <= shared_memory;
  const bool is_covered = covers(items.y - of.first_row, grid.y, std::int64_t{threads.y} * of.rows) &&
                          covers(items.z - of.first_plane, grid.z, threads.z) &&
                          (entry.form == yoke::kernel_form::items_3d || in_block == threads.x);
  return can_be && is_covered && static_cast<std::uint64_t>(items.x) <= along_x * of.columns;
}

/// The items of one launch, of which the host's entry runs all.
yoke::item_range range_of(const yoke::detail::spread_items& of, dim3 grid, dim3 threads) {
  const auto end = [](std::int64_t first, unsigned blocks, std::int64_t of_block, std::int64_t items) {
    return std::min(first + blocks * of_block, items);
  };
  return {.first_x = of.left_out,
          .last_x = of.items.x,
          .first_y = of.first_row,
          .last_y = end(of.first_row, grid.y, std::int64_t{threads.y} * of.rows, of.items.y),
          .first_z = of.first_plane,
          .last_z = end(of.first_plane, grid.z, threads.z, of.items.z)};
}

/// The arguments of a kernel are copied when it is launched.
operation run(const kernel_entry& entry, const void* arguments, const yoke::item_range& items) {
  struct alignas(64) unit {
    unsigned char bytes[64];
  };
  std::vector<unit> copied(entry.argument_bytes / sizeof(unit) + 1);
  std::memcpy(copied.data(), arguments, entry.argument_bytes);
  return [host_entry = entry.host_entry, copied, items] { host_entry(copied.data(), items); };
}

}  // namespace

void wait_for_streams(int device) {
  std::vector<hipStream_t> found;
  {
    const std::lock_guard lock{all().mutex};
    for (const hipStream_t each : all().streams)
      if (device < 0 || each->device == device) found.push_back(each);
  }
  for (const hipStream_t each : found) each->worker.wait();
}

}  // namespace fake_hip

using namespace fake_hip;

extern "C" {

hipError_t hipFuncSetAttribute(const void*, hipFuncAttribute, int value) {
  return call("hipFuncSetAttribute", [&] {
    return static_cast<std::size_t>(value) <= shared_memory ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 threads, void** arguments,
                           std::size_t shared_bytes, hipStream_t stream) {
  return call("hipLaunchKernel", [&] {
    const auto& entry = *static_cast<const kernel_entry*>(function);
    const yoke::detail::spread_items of = items_of(entry, arguments[1]);
    if (check(stream) != hipSuccess || !fits(entry, grid, threads, shared_bytes, of))
      return hipErrorInvalidValue;
    {
      const std::lock_guard lock{all().mutex};
      ++all().launches;
      all().most_shared = std::max(all().most_shared, shared_bytes);
    }
    if (all().skip_kernels) return hipSuccess;
    stream->add(run(entry, arguments[0], range_of(of, grid, threads)));
    return hipSuccess;
  });
}

hipError_t hipDeviceSynchronize() {
  return release("hipDeviceSynchronize", [] {
    wait_for_streams(current_device());
    return hipSuccess;
  });
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) {
  return call("hipStreamCreateWithFlags", [&] {
    auto* made = new ihipStream_t;
    made->device = current_device();
    return make(all().streams, stream, made);
  });
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned, int priority) {
  return call("hipStreamCreateWithPriority", [&] {
    if (priority < -1 || priority > 1) return hipErrorInvalidValue;
    auto* made = new ihipStream_t;
    made->device = current_device();
    return make(all().streams, stream, made);
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("hipDeviceGetStreamPriorityRange", [&] {
    *least = 1;
    *greatest = -1;
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return release("hipStreamDestroy", [&] { return end(all().streams, stream); });
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  return release("hipStreamSynchronize", [&] {
    if (check(stream) != hipSuccess) return hipErrorInvalidValue;
    if (breaks_capture(stream)) return hipErrorStreamCaptureUnsupported;
    stream->worker.wait();
    return hipSuccess;
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned) {
  return call("hipStreamWaitEvent", [&] {
    if (check(stream) != hipSuccess || !exists(all().events, event)) return hipErrorInvalidValue;
    if (const auto last = event->last; last != nullptr) stream->add([last] { last->done.wait(false); });
    return hipSuccess;
  });
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode) {
  return call("hipStreamBeginCapture", [&] {
    if (check(stream) != hipSuccess || stream->capturing) return hipErrorInvalidValue;
    stream->capturing = true;
    return hipSuccess;
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return call("hipStreamEndCapture", [&] {
    if (check(stream) != hipSuccess || !stream->capturing) return hipErrorInvalidValue;
    const bool broken = stream->broken;
    stream->capturing = stream->broken = false;
    std::vector<operation> operations;
    operations.swap(stream->captured);
    if (broken) return hipErrorStreamCaptureInvalidated;
    return make(all().graphs, graph, new ihipGraph{std::move(operations)});
  });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return call("hipEventCreateWithFlags", [&] {
    return make(all().events, event, new ihipEvent_t{.timed = (flags & hipEventDisableTiming) == 0});
  });
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return release("hipEventDestroy", [&] { return end(all().events, event); });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return call("hipEventRecord", [&] {
    if (check(stream) != hipSuccess || !exists(all().events, event)) return hipErrorInvalidValue;
    event->last = std::make_shared<ihipEvent_t::recording>();
    stream->add([last = event->last] {
      last->time = std::chrono::steady_clock::now();
      last->done = true;
      last->done.notify_all();
    });
    return hipSuccess;
  });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return call("hipEventQuery", [&] {
    if (!exists(all().events, event)) return hipErrorInvalidValue;
    return event->last == nullptr || event->last->done ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return release("hipEventSynchronize", [&] {
    if (!exists(all().events, event)) return hipErrorInvalidValue;
    if (const auto last = event->last; last != nullptr) last->done.wait(false);
    return hipSuccess;
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return call("hipEventElapsedTime", [&] {
    for (const hipEvent_t each : {start, stop}) {
      if (!exists(all().events, each) || !each->timed || each->last == nullptr) return hipErrorInvalidValue;
      if (!each->last->done) return hipErrorNotReady;
    }
    *milliseconds = std::chrono::duration<float, std::milli>{stop->last->time - start->last->time}.count();
    return hipSuccess;
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* ready, hipGraph_t graph, unsigned long long) {
  return call("hipGraphInstantiateWithFlags", [&] {
    if (!exists(all().graphs, graph)) return hipErrorInvalidValue;
    return make(all().ready_graphs, ready, new hipGraphExec{graph->operations});
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t ready, hipStream_t stream) {
  return call("hipGraphLaunch", [&] {
    if (check(stream) != hipSuccess || !exists(all().ready_graphs, ready)) return hipErrorInvalidValue;
    for (const operation& each : ready->operations) stream->add(each);
    return hipSuccess;
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return release("hipGraphDestroy", [&] { return end(all().graphs, graph); });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t ready) {
  return release("hipGraphExecDestroy", [&] { return end(all().ready_graphs, ready); });
}

}  // extern "C"
