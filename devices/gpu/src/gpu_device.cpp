#include "gpu_device.hpp"

#include "all_pinned_pages.hpp"
#include "peers.hpp"
#include "queue_copy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include <yoke/detail/launch_shape.hpp>
#include <yoke/forks.hpp>

namespace yoke::gpu {

using detail::in_words;

static_assert(detail::max_threads <= most_threads_along_x, "the emulated device accepts what a GPU refuses");

namespace {

device_info describe(int ordinal) {
  device_properties properties{};
  check(get_device_properties(&properties, ordinal),
        [&] { return fmt::format("asking for the properties of {}:{}", backend_name, ordinal); });
  return {.name = fmt::format("{}:{}", backend_name, ordinal),
          .model = properties.name,
          .ordinal = ordinal,
          .emulated = false,
          .memory = properties.totalGlobalMem,
          .processors = properties.multiProcessorCount,
          .shared_memory = shared_memory_of_block(properties),
          .shared_memory_of_processor = shared_memory_of_processor(properties)};
}

/// After a launch that found none.
std::string what_brings_code(int ordinal) {
  device_properties properties{};
  forget(get_device_properties(&properties, ordinal));
  return fmt::format("; the program holds no code for this GPU ({}): configure it with -D{}={}",
                     properties.name, architectures, architecture_of(properties));
}

error queue_grid(const kernel_call& call, const detail::launch_grid& blocks, void* behind, stream on) {
  const dim3 block{static_cast<unsigned>(call.block.x), static_cast<unsigned>(call.block.y),
                   static_cast<unsigned>(call.block.z)};
  void* parameters[] = {const_cast<void*>(call.arguments), behind};
  return launch_kernel(call.gpu_entry, dim3{blocks.x, blocks.y, blocks.z}, block, parameters,
                       call.shared_bytes, on);
}

error queue_kernel(const kernel_call& call, stream on) {
  if (call.form != kernel_form::items_3d) {
    extent items{.x = call.items.x, .y = call.items.y};
    return queue_grid(call, detail::grid_of(call), &items, on);
  }
  error first = success;
  detail::for_each_grid(call, [&](const detail::launch_grid& blocks, detail::spread_items items) {
    if (first == success) first = queue_grid(call, blocks, &items, on);
  });
  return first;
}

void unpin_pages(void* first) { forget(host_unregister(first)); }

}  // namespace

gpu_device::gpu_device(int ordinal) : info_{describe(ordinal)} {
  detail::watch_forks();
  use();
  std::size_t free = 0;
  // Makes the context now: a GPU that cannot be used is an error here and not in the first task.
  expect(mem_get_info(&free, &info_.memory), "opening the device");
}

error gpu_device::try_use() const noexcept {
  // What is current is asked for, not remembered: the user's own code may have changed it.
  int current = -1;
  const error code = get_device(&current);
  if (code == success && current == info_.ordinal) return success;
  forget(code);
  return set_device(info_.ordinal);
}

void gpu_device::use() const {
  // The vendor's contexts do not survive a fork; not even an error can be asked for.
  detail::refuse_in_forked_child();
  expect(try_use(), "making it the current device");
}

void gpu_device::expect(error code, std::string_view intent) const {
  check(code, [&] { return fmt::format("{} on {}", intent, info_.name); });
}

std::size_t gpu_device::memory_free() const {
  use();
  std::size_t free = 0, total = 0;
  expect(mem_get_info(&free, &total), "asking for the free memory");
  return free;
}

link_kind gpu_device::link_to(const device_info& other) const {
  if (other.emulated || !other.name.starts_with(fmt::format("{}:", backend_name)))
    return link_kind::through_host;
  if (other.ordinal == info_.ordinal) return link_kind::same_device;
  return link_between(info_.ordinal, other.ordinal);
}

void* gpu_device::allocate(std::size_t bytes) {
  use();
  void* address = nullptr;
  const error code = malloc(&address, std::max<std::size_t>(bytes, 1));
  if (code == out_of_memory) {
    (void)get_last_error();
    return nullptr;
  }
  check(code, [&] { return fmt::format("allocating {} bytes on {}", bytes, info_.name); });
  return address;
}

void gpu_device::deallocate(void* address) noexcept {
  if (address == nullptr || detail::is_forked_child()) return;
  forget(try_use());
  forget(free(address));
}

void* gpu_device::allocate_pinned(std::size_t bytes) {
  use();
  void* address = nullptr;
  check(host_malloc(&address, std::max<std::size_t>(bytes, 1), pinned_for_all_devices),
        [&] { return fmt::format("allocating {} bytes of pinned host memory for {}", bytes, info_.name); });
  return address;
}

void gpu_device::deallocate_pinned(void* address) noexcept {
  if (address == nullptr || detail::is_forked_child()) return;
  forget(try_use());
  forget(host_free(address));
}

void gpu_device::pin(void* first, std::size_t bytes) {
  if (bytes == 0) return;
  use();
  const auto pin_pages = [&](void* pages, std::size_t length) {
    check(host_register(pages, length, registered_for_all_devices), [&] {
      return fmt::format("pinning {} bytes of host memory at {} for {}", bytes, first, info_.name);
    });
  };
  all_pinned_pages().add(first, bytes, pin_pages, unpin_pages);
}

void gpu_device::unpin(void* first, std::size_t bytes) noexcept {
  if (bytes == 0 || detail::is_forked_child()) return;
  forget(try_use());
  all_pinned_pages().remove(first, bytes, unpin_pages);
}

stream_handle gpu_device::make_stream(stream_kind kind) {
  use();
  int least = 0;
  int greatest = 0;
  stream created{};
  if (kind == stream_kind::urgent)
    expect(device_get_stream_priority_range(&least, &greatest), "asking for the priorities of streams");
  expect(kind == stream_kind::urgent ? stream_create_with_priority(&created, non_blocking_stream, greatest)
                                     : stream_create_with_flags(&created, non_blocking_stream),
         "creating a stream");
  return {created};
}

void gpu_device::destroy_stream(stream_handle stream) noexcept {
  if (stream.native == nullptr || detail::is_forked_child()) return;
  forget(try_use());
  forget(stream_destroy(native(stream)));
}

void gpu_device::copy_box(stream_handle stream, const box_copy& what) {
  if (detail::is_empty(what)) return;
  detail::require_box(what, info_.name);
  use();
  check(queue_copy(what, native(stream)),
        [&] { return fmt::format("{} on {}", in_words(what), info_.name); });
}

void gpu_device::allow_shared_memory(const kernel_call& call) {
  constexpr std::size_t without_asking = std::size_t{48} << 10;
  if (call.shared_bytes <= without_asking) return;
  const std::lock_guard guard{allowed_lock_};
  if (allowed_.contains(call.gpu_entry)) return;
  check(func_set_attribute(call.gpu_entry, most_shared_memory, static_cast<int>(info_.shared_memory)),
        [&] { return fmt::format("allowing shared memory: {} on {}", in_words(call), info_.name); });
  allowed_.insert(call.gpu_entry);
}

void gpu_device::launch(stream_handle stream, const kernel_call& call) {
  if (detail::is_empty(call.items)) return;
  detail::require_gpu_code(call, info_.name);
  detail::require_shape(call, info_.name, most_threads_along_x);
  require_shared_memory(call, info_);
  use();
  allow_shared_memory(call);
  const error code = queue_kernel(call, native(stream));
  check(code, [&] {
    const std::string hint = code == no_code_for_device ? what_brings_code(info_.ordinal) : "";
    return fmt::format("{} on {}{}", in_words(call), info_.name, hint);
  });
}

void gpu_device::synchronize(stream_handle stream) {
  use();
  expect(stream_synchronize(native(stream)), "waiting for a stream");
}

void gpu_device::synchronize() {
  use();
  expect(device_synchronize(), "waiting for the device");
}

event_handle gpu_device::make_event(event_kind kind) {
  use();
  event created{};
  expect(
      event_create_with_flags(&created, kind == event_kind::timed ? event_with_timing : event_without_timing),
      "creating an event");
  return {created};
}

void gpu_device::destroy_event(event_handle event) noexcept {
  if (event.native == nullptr || detail::is_forked_child()) return;
  forget(try_use());
  forget(event_destroy(native(event)));
}

void gpu_device::record(event_handle event, stream_handle stream) {
  use();
  expect(event_record(native(event), native(stream)), "recording an event");
}

void gpu_device::wait(stream_handle stream, event_handle event) {
  use();
  expect(stream_wait_event(native(stream), native(event), 0u), "making a stream wait for an event");
}

void gpu_device::synchronize(event_handle event) {
  use();
  expect(event_synchronize(native(event)), "waiting for an event");
}

bool gpu_device::is_done(event_handle event) {
  use();
  const error code = event_query(native(event));
  if (code == not_ready) {
    (void)get_last_error();
    return false;
  }
  expect(code, "asking whether an event has happened");
  return true;
}

seconds gpu_device::seconds_between(event_handle from, event_handle to) {
  use();
  float milliseconds = 0;
  expect(event_elapsed_time(&milliseconds, native(from), native(to)), "asking for the time between events");
  return 1e-3 * static_cast<double>(milliseconds);
}

void gpu_device::begin_capture(stream_handle stream) {
  use();
  // Relaxed: other threads, and this one, may allocate meanwhile.
  expect(stream_begin_capture(native(stream), capture_relaxed), "beginning to capture a stream");
}

graph_handle gpu_device::end_capture(stream_handle stream) {
  use();
  graph captured{};
  expect(stream_end_capture(native(stream), &captured), "ending the capture of a stream");
  graph_exec ready{};
  const error code = graph_instantiate(&ready, captured, 0ull);
  forget(graph_destroy(captured));
  expect(code, "making a graph ready to run");
  return {ready};
}

void gpu_device::replay(graph_handle graph, stream_handle stream) {
  use();
  expect(graph_launch(native(graph), native(stream)), "replaying a graph");
}

void gpu_device::destroy_graph(graph_handle graph) noexcept {
  if (graph.native == nullptr || detail::is_forked_child()) return;
  forget(try_use());
  forget(graph_exec_destroy(native(graph)));
}

}  // namespace yoke::gpu
