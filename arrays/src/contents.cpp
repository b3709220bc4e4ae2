#include "contents.hpp"

#include "box_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

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
    for (const gpu_unit& gpu : context_->gpus) gpus_.push_back(make_gpu_store(*context_, *shape_, gpu));
    make_host(user);
    find_rows_to_exchange();
  } catch (...) {
    free_stores(*context_, gpus_);
    throw;
  }
}

std::uint64_t contents::next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

contents::~contents() {
  if (!context_->is_alive()) return;
  drain(context_->gpus);  // kernels may use them still
  free_stores(*context_, gpus_);
}

void contents::find_rows_to_exchange() {
  const auto has_more = [](const store& each) { return each.has_rows() && each.room != each.own; };
  has_rows_to_exchange_ = has_more(host_) || std::ranges::any_of(gpus_, has_more);
}

void contents::exchange_parts(std::shared_ptr<const layout>& shape, store& host, std::vector<store>& gpus) {
  std::swap(shape_, shape);
  std::swap(host_, host);
  std::swap(gpus_, gpus);
  source_ = nullptr;
  current = {};
  find_rows_to_exchange();
}

store& contents::of_unit(int unit) {
  const int gpu = unit - context_->n_cpu_units;
  return gpu < 0 ? host_ : gpus_[static_cast<std::size_t>(gpu)];
}

void contents::make_host(std::byte* user) {
  if (context_->n_cpu_units > 0 && user != nullptr && !shape_->has_pads()) {
    host_.own = host_rows(*context_, *shape_);
    host_.room = {0, (*shape_)[0].extent};
    host_.first = user;
    return;
  }
  host_ = make_host_store(*context_, *shape_);
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
  if (part.first != nullptr && source_ != nullptr) {
    copy_in(part, source_);
    // CPU CUs may write next what the copy reads: each memory computes all of it.
    if (!shape_->distributed && host_.first == source_) part.gpu->dev->synchronize(part.gpu->stream);
  }
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
