#include "contents.hpp"

#include "box_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <new>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Rows of a memory whose own rows are `own`: those that have elements or an edge's value.
bound room_for(const layout& shape, bound own) {
  if (own.size() == 0) return {own.begin, own.begin};
  const dimension& rows = shape[0];
  return {std::max(own.begin - rows.low, -rows.pad_low()),
          std::min(own.end + rows.high, rows.extent + rows.pad_high())};
}

std::size_t bytes_of(const layout& shape, bound rows) {
  return shape.row_bytes() * static_cast<std::size_t>(rows.size());
}

/// Zeros that cost nothing until they are touched; where a cache line begins.
std::byte* make_zeros(store& in, std::size_t bytes) {
  constexpr std::size_t line = 64;
  in.memory.reset(static_cast<std::byte*>(std::calloc(bytes + line, 1)));
  if (in.memory == nullptr)
    throw out_of_memory{fmt::format("an array needs {} bytes of host memory, which there are not", bytes),
                        bytes, 0};
  void* first = in.memory.get();
  std::size_t room = bytes + line;
  return static_cast<std::byte*>(std::align(line, bytes, first, room));
}

}  // namespace

void queue_copy(const gpu_unit* from, const gpu_unit* to, box_copy what) {
  if (is_empty(what)) return;
  if (from == nullptr && to == nullptr) {
    for_each_row(what, [&](void* target, const void* source) { std::memcpy(target, source, what.bytes); });
    return;
  }
  what.kind = from == nullptr ? copy_kind::host_to_device
              : to == nullptr ? copy_kind::device_to_host
                              : copy_kind::device_to_device;
  const gpu_unit& by = to != nullptr ? *to : *from;
  by.dev->copy_box(by.stream, what);
}

void wait_for(std::span<const gpu_unit> gpus) {
  for (const gpu_unit& gpu : gpus) gpu.dev->synchronize(gpu.stream);
}

contents::contents(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape,
                   std::byte* user)
    : context_{std::move(context)}, shape_{std::move(shape)}, source_{user} {
  gpus_.reserve(context_->gpus.size());
  try {
    for (const gpu_unit& gpu : context_->gpus) make_gpu(gpu);
    make_host(user);
    const auto has_more = [](const store& each) { return each.has_rows() && each.room != each.own; };
    has_rows_to_exchange_ = has_more(host_) || std::ranges::any_of(gpus_, has_more);
  } catch (...) {
    release();
    throw;
  }
}

contents::~contents() { release(); }

std::uint64_t contents::next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void contents::release() noexcept {
  if (!context_->is_alive()) return;
  drain(context_->gpus);  // kernels may use them still
  for (store& part : gpus_) {
    if (part.region == nullptr) continue;
    try {
      context_->rt().memory().unregister_mem(part.region);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the memory ends with the runtime
    }
    part.region = nullptr;
  }
}

store& contents::of_unit(int unit) {
  const int gpu = unit - context_->n_cpu_units;
  return gpu < 0 ? host_ : gpus_[static_cast<std::size_t>(gpu)];
}

void contents::make_gpu(const gpu_unit& gpu) {
  store& part = gpus_.emplace_back();
  part.gpu = &gpu;
  part.own = shape_->rows_of(gpu.unit);
  part.room = room_for(*shape_, part.own);
  part.loaded = false;
  const std::size_t bytes = bytes_of(*shape_, part.room);
  if (bytes == 0) return;
  region_table& memory = context_->rt().memory();
  part.region = memory.reserve(bytes);
  memory.migrate(part.region, gpu.space);
  part.first = static_cast<std::byte*>(memory.mem_addr(part.region, gpu.space));
}

void contents::make_host(std::byte* user) {
  const int n = context_->n_cpu_units;
  if (n == 0) return;
  host_.own = {shape_->rows_of(0).begin, shape_->rows_of(n - 1).end};
  host_.room = room_for(*shape_, host_.own);
  const std::size_t bytes = bytes_of(*shape_, host_.room);
  if (bytes == 0) return;
  if (user != nullptr && !shape_->has_pads()) {
    host_.room = {0, (*shape_)[0].extent};
    host_.first = user;
    return;
  }
  host_.first = make_zeros(host_, bytes);
  if (user != nullptr) copy_in(host_, user);
}

void contents::copy_in(const store& to, const std::byte* from_dense) const {
  if (to.first == nullptr) return;
  const layout without_pads = dense(*shape_);
  const auto first = static_cast<std::int64_t>(without_pads.row_bytes()) * to.own.begin;
  copy_rows({.to = row(to, to.own.begin) + bytes_before_inner(*shape_),
             .from = from_dense + first,
             .to_shape = *shape_,
             .from_shape = without_pads},
            to.own.size(), [&](const box_copy& box) { queue_copy(nullptr, to.gpu, box); });
}

void contents::copy_out(const store& from, std::byte* to_dense) const {
  if (from.first == nullptr) return;
  const layout without_pads = dense(*shape_);
  const auto first = static_cast<std::int64_t>(without_pads.row_bytes()) * from.own.begin;
  copy_rows({.to = to_dense + first,
             .from = row(from, from.own.begin) + bytes_before_inner(*shape_),
             .to_shape = without_pads,
             .from_shape = *shape_},
            from.own.size(), [&](const box_copy& box) { queue_copy(from.gpu, nullptr, box); });
}

// A device cannot set memory: the first bytes come from the host, and what is zero already is copied behind.
void contents::zero(const store& part) const {
  static constexpr std::byte zeros[4096]{};
  const std::size_t bytes = bytes_of(*shape_, part.room);
  std::size_t done = std::min(sizeof zeros, bytes);
  queue_copy(nullptr, part.gpu, {.to = part.first, .from = zeros, .bytes = done});
  while (done < bytes) {
    const std::size_t next = std::min(done, bytes - done);
    queue_copy(part.gpu, part.gpu, {.to = part.first + done, .from = part.first, .bytes = next});
    done += next;
  }
}

void contents::load(store& part) {
  if (part.loaded) return;
  if (part.first != nullptr && source_ == nullptr) zero(part);
  if (part.first != nullptr && source_ != nullptr) copy_in(part, source_);
  part.loaded = true;
}

void contents::copy_unloaded(const store& from, std::byte* to_dense) const {
  const std::size_t row = dense(*shape_).row_bytes();
  const std::size_t first = row * static_cast<std::size_t>(from.own.begin);
  const std::size_t bytes = row * static_cast<std::size_t>(from.own.size());
  if (bytes == 0 || source_ == to_dense) return;
  if (source_ == nullptr) {
    std::memset(to_dense + first, 0, bytes);
  } else {
    std::memcpy(to_dense + first, source_ + first, bytes);
  }
}

// What is queued uses the caller's memory: it has ended when an error leaves, too.
template <class Queue>
void contents::queue_and_wait(const Queue& queue) const {
  try {
    queue();
    wait_for(context_->gpus);
  } catch (...) {
    drain(context_->gpus);
    throw;
  }
}

void contents::leave_source() {
  if (source_ == nullptr) return;
  queue_and_wait([&] {
    for (store& part : gpus_) load(part);
  });
  source_ = nullptr;
}

void contents::read_gpus(std::byte* to_dense) const {
  const bool host_has_all = !shape_->distributed && context_->n_cpu_units > 0;
  for (const store& part : gpus_) {
    if (!part.has_rows() || host_has_all) continue;
    if (part.loaded) {
      copy_out(part, to_dense);
    } else {
      copy_unloaded(part, to_dense);
    }
    if (!shape_->distributed) break;
  }
}

void contents::read(std::byte* to_dense) const {
  if (host_.has_rows() && host_.first != to_dense) copy_out(host_, to_dense);
  queue_and_wait([&] { read_gpus(to_dense); });
}

void contents::write(const std::byte* from_dense) {
  if (host_.has_rows() && host_.first != from_dense) copy_in(host_, from_dense);
  current = {};
  queue_and_wait([&] {
    for (store& part : gpus_) {
      if (part.has_rows()) copy_in(part, from_dense);
      part.loaded = true;
    }
  });
}

}  // namespace yoke::detail
