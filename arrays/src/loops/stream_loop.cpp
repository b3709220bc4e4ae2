#include "../memory/array_state.hpp"
#include "loop_parts.hpp"
#include "stream_chunks.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <string_view>

#include <yoke/detail/recorder.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// " ('x', 100 x 8 double)"
std::string called(const array_shape& shape) {
  const auto extents = std::span{shape.extents}.first(static_cast<std::size_t>(shape.dimensions));
  return fmt::format(" ({}{} {})", shape.name.empty() ? "" : fmt::format("'{}', ", shape.name),
                     fmt::join(extents, " x "), shape.type);
}

[[noreturn]] void refuse(const char* name, const stream_use& use, std::size_t i, const std::string& what) {
  throw usage_error{fmt::format("for_each '{}': the streamed memory {} of the loop, counted from 1, {}{}",
                                name, i + 1, what, called(use.shape))};
}

std::span<const std::byte> memory_of(const stream_use& use) {
  std::size_t bytes = use.shape.element;
  for (const std::int64_t n : use.shape.extents) bytes *= static_cast<std::size_t>(n);
  return {use.first, bytes};
}

bool share_elements(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> before{};
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}

void check_box(const char* name, const any_box& over, const stream_use& use, std::size_t i) {
  const array_shape& shape = use.shape;
  if (use.low < 0 || use.high < 0)
    refuse(name, use, i, fmt::format("is read with a reach of {} and {} rows; 0 or more", use.low, use.high));
  if (use.how != role::in && shape.dimensions < over.dimensions)
    refuse(name, use, i,
           fmt::format("has {} dimensions, and a loop of {} would write its elements many times",
                       shape.dimensions, over.dimensions));
  const int n = use.how == role::in ? 1 : over.dimensions;
  for (int d = 0; d < n; ++d) {
    const std::int64_t extent = shape.extents[static_cast<std::size_t>(d)];
    if (over[d].begin >= 0 && over[d].end <= extent) continue;
    refuse(name, use, i,
           fmt::format("has the indices [0, {}) in dimension {}, and the loop leaves them with [{}, {})",
                       extent, d, over[d].begin, over[d].end));
  }
}

void check_memory(const char* name, std::span<const stream_use> uses, std::size_t i) {
  const std::span<const std::byte> mine = memory_of(uses[i]);
  if (is_attached(mine.data(), mine.size(), uses[i].how == role::in))
    refuse(name, uses[i], i, "is memory to which an array is attached; detach that one first");
  for (std::size_t other = 0; other < i; ++other)
    if ((uses[i].how != role::in || uses[other].how != role::in) &&
        share_elements(mine, memory_of(uses[other])))
      refuse(name, uses[i], i,
             fmt::format("shares elements with number {}, and one of them is written; inout gives an index "
                         "its own element to read and write",
                         other + 1));
}

void check_units(const array_context& context, const char* name, taking_part who) {
  if ((who.cpus && context.n_cpu_units > 0) || (who.gpus && !context.gpus.empty())) return;
  throw usage_error{fmt::format("for_each '{}': the runtime has no {} CU, and there is no other variant",
                                name, who.cpus ? "CPU" : "GPU")};
}

/// A chunk's memory on a GPU, with what has been queued for it.
class slot {
 public:
  slot(device& gpu, std::byte* memory) : gpu_{gpu}, memory_{memory}, stream_{gpu.create_stream()} {}
  ~slot() { gpu_.destroy_stream(stream_); }
  slot(const slot&) = delete;
  slot& operator=(const slot&) = delete;

  void wait() { gpu_.synchronize(stream_); }
  void drain() noexcept {
    try {
      wait();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one reported
    }
  }

  void queue(const stream_chunks& of, const bound& chunk, const stream_body& body) {
    for (std::size_t i = 0; i < of.uses().size(); ++i)
      if (of.is_brought(i)) copy(of, i, of.rows_of(i, chunk), copy_kind::host_to_device);
    body(stream_part{of, chunk, memory_, &gpu_, stream_});
    for (std::size_t i = 0; i < of.uses().size(); ++i)
      if (of.uses()[i].how != role::in) copy(of, i, chunk, copy_kind::device_to_host);
  }

 private:
  void copy(const stream_chunks& of, std::size_t use, const bound& rows, copy_kind kind) {
    const std::size_t row = of.row_bytes(use);
    const std::size_t bytes = row * static_cast<std::size_t>(rows.size());
    std::byte* const host = of.uses()[use].first + static_cast<std::int64_t>(row) * rows.begin;
    std::byte* const here = memory_ + of.offset(use);
    const bool comes = kind == copy_kind::host_to_device;
    if (bytes > 0) gpu_.copy(stream_, comes ? here : host, comes ? host : here, bytes, kind);
  }

  device& gpu_;
  std::byte* memory_;
  stream_handle stream_;
};

void run_on_gpu(stream_chunks& chunks, const gpu_unit& gpu, std::byte* memory, const stream_body& body) {
  const auto at = [&](std::size_t i) { return memory + i * chunks.bytes(); };
  std::array<slot, n_slots> slots{slot{*gpu.dev, at(0)}, slot{*gpu.dev, at(1)}, slot{*gpu.dev, at(2)}};
  try {
    for (std::size_t turn = 0;; turn = (turn + 1) % n_slots) {
      slots[turn].wait();
      const bound chunk = chunks.take_for_gpu();
      if (chunk.size() == 0) break;
      slots[turn].queue(chunks, chunk, body);
    }
    for (slot& each : slots) each.wait();
  } catch (...) {
    for (slot& each : slots) each.drain();
    throw;
  }
}

void run_on_cpu(stream_chunks& chunks, const stream_body& body) {
  for (bound rows = chunks.take_for_cpu(); rows.size() > 0; rows = chunks.take_for_cpu())
    body(stream_part{chunks, rows, nullptr, nullptr, {}});
}

/// Of each GPU CU, before anything has run.
std::vector<std::byte*> memories_for(const stream_chunks& chunks, array_context& context, const char* name,
                                     taking_part who) {
  const scratch_purpose purpose{
      "three chunks", name,
      "a chunk has one row of dimension 0 at least: stream shorter rows, end arrays that are not needed "
      "there, or leave the GPU CU out (variants<cpu<body>>)"};
  std::vector<std::byte*> all(context.gpus.size());
  wait_for(context.gpus);
  if (!who.gpus || chunks.bytes() == 0) return all;
  for (std::size_t gpu = 0; gpu < all.size(); ++gpu)
    all[gpu] = static_cast<std::byte*>(context.scratch(gpu, n_slots * chunks.bytes(), purpose));
  return all;
}

void run_chunks(stream_chunks& chunks, array_context& context, const char* name, taking_part who,
                const stream_body& body) {
  const std::vector<std::byte*> memories = memories_for(chunks, context, name, who);
  context.each_unit([&](unit_id unit) {
    const gpu_unit* const gpu = context.gpu_of(unit);
    if (gpu == nullptr ? !who.cpus : !who.gpus) return;
    try {
      if (gpu == nullptr) return run_on_cpu(chunks, body);
      run_on_gpu(chunks, *gpu, memories[static_cast<std::size_t>(unit - context.n_cpu_units)], body);
    } catch (...) {
      chunks.stop();
      throw;
    }
  });
}

}  // namespace

stream_part::stream_part(const stream_chunks& of, const bound& rows, std::byte* memory, device* gpu,
                         stream_handle on)
    : of_{of}, over_{of.over()}, memory_{memory}, gpu_{gpu}, stream_{on} {
  over_[0] = rows;
}

placed_view stream_part::view(std::size_t use) const {
  const array_shape& shape = of_.uses()[use].shape;
  const bound rows = of_.rows_of(use, over_[0]);
  placed_view made;
  std::int64_t stride = 1;
  for (int d = 3; d >= 0; --d) {
    made.extents[d] = d == 0 ? rows.size() : shape.extents[static_cast<std::size_t>(d)];
    made.strides[d] = stride;
    stride *= made.extents[d];
  }
  made.begins[0] = rows.begin;
  made.first = is_on_gpu()
                   ? memory_ + of_.offset(use)
                   : of_.uses()[use].first + static_cast<std::int64_t>(of_.row_bytes(use)) * rows.begin;
  return made;
}

void stream_part::run(const kernel_call& call) const {
  if (is_on_gpu()) return gpu_->launch(stream_, call);
  run_on_cpus(call, of_.checks());
}

std::vector<pinned_range> pin_for(runtime& rt, std::span<const std::byte> memory) {
  std::vector<pinned_range> pins;
  std::vector<std::string_view> backends;
  for (const compute_unit& unit : rt.units().all()) {
    if (unit.dev == nullptr || memory.empty()) continue;
    const std::string_view backend = backend_of(*unit.dev);
    if (std::ranges::find(backends, backend) != backends.end()) continue;
    pins.emplace_back(*unit.dev, const_cast<std::byte*>(memory.data()), memory.size());
    backends.push_back(backend);
  }
  return pins;
}

void run_stream(runtime& rt, const char* name, const any_box& over, std::span<const stream_use> uses,
                taking_part who, const stream_body& body) {
  refuse_in_region("for_each");
  refuse_in_recording("a streaming loop");
  check_number_of_indices(name, over);
  const std::shared_ptr<array_context> context = array_context::of(rt);
  const std::lock_guard guard{context->lock};
  check_units(*context, name, who);
  if (over.empty()) return;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    check_box(name, over, uses[i], i);
    check_memory(name, uses, i);
  }
  stream_chunks chunks{*context, over, uses, who};
  run_chunks(chunks, *context, name, who, body);
}

}  // namespace yoke::detail
