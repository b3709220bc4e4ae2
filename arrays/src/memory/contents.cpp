#include "contents.hpp"

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

void queue_copy(const gpu_unit* from, const gpu_unit* to, const element_copy& what) {
  for_each_copy(what, [&](const box_copy& box) { queue_copy(from, to, box); });
}

bool halo_state::covers(const halo_state& wanted) const {
  for (std::size_t d = 0; d < 4; ++d)
    if (low[d] < wanted.low[d] || high[d] < wanted.high[d]) return false;
  return (corners || !wanted.corners) &&
         (wanted.all_in.empty() || (changed.empty() && std::ranges::includes(all_in, wanted.all_in)));
}

any_box halo_state::no_elements() {
  any_box none;
  none.sides.fill(bound{0});
  return none;
}

halo_state halo_state::after_write(const any_box& of) const {
  halo_state left{.all_in = all_in, .changed = of};
  for (int d = 0; d < 4 && !changed.empty(); ++d)
    left.changed[d] = {std::min(of[d].begin, changed[d].begin), std::max(of[d].end, changed[d].end)};
  return left;
}

bool halo_state::reaches_out(int d) const {
  const auto at = static_cast<std::size_t>(d);
  return low[at] > 0 || high[at] > 0;
}

halo_state merged(const halo_state& wanted, const halo_state& current) {
  halo_state both{
      .corners = wanted.corners || current.corners, .all_in = current.all_in, .changed = current.changed};
  if (!wanted.all_in.empty()) {
    if (!current.changed.empty()) both.all_in.clear();  // what is not brought there
    both.all_in.insert(wanted.all_in.begin(), wanted.all_in.end());
    both.changed = halo_state::no_elements();
  }
  for (std::size_t d = 0; d < 4; ++d) {
    both.low[d] = std::max(wanted.low[d], current.low[d]);
    both.high[d] = std::max(wanted.high[d], current.high[d]);
  }
  return both;
}

halo_state whole_halo(const layout& shape) {
  halo_state all{.corners = true};
  for (std::size_t d = 0; d < 4; ++d) {
    all.low[d] = shape.dims[d].low;
    all.high[d] = shape.dims[d].high;
  }
  return all;
}

void wait_for(std::span<const gpu_unit> gpus) {
  for (const gpu_unit& gpu : gpus) gpu.dev->synchronize(gpu.stream);
}

contents::contents(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape,
                   std::byte* user, std::string name, bool is_const)
    : called{std::move(name)}, context_{std::move(context)}, shape_{std::move(shape)}, source_{user} {
  gpus_.reserve(context_->gpus.size());
  try {
    for (const gpu_unit& gpu : context_->gpus)
      gpus_.push_back(make_gpu_store(*context_, *shape_, gpu, called));
    make_host(user, is_const);
    find_halo_to_exchange();
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

void contents::find_halo_to_exchange() {
  for (int d = 0; d < 4; ++d) {
    const auto has_more = [&](const store& each) {
      return each.has_elements() &&
             (each.own.size() > 1 || each.held[d] != hull_of(each.own)[d]);  // or between own ones
    };
    has_halo_to_exchange_[static_cast<std::size_t>(d)] =
        shape_->is_cut(d) && (has_more(host_) || std::ranges::any_of(gpus_, has_more));
  }
}

bool contents::holds_all_everywhere() const {
  const any_box all = box_held_for(*shape_, shape_->all());
  const auto holds = [&](const store& each) {
    for (int d = 0; d < 4; ++d)
      if (!contains(each.held[d], all[d])) return false;
    return true;
  };
  return shape_->bytes() == 0 ||
         ((context_->n_cpu_units == 0 || holds(host_)) && std::ranges::all_of(gpus_, holds));
}

void contents::exchange_parts(std::shared_ptr<const layout>& shape, store& host, std::vector<store>& gpus) {
  std::swap(shape_, shape);
  std::swap(host_, host);
  std::swap(gpus_, gpus);
  source_ = nullptr;
  current = {};
  find_halo_to_exchange();
}

store& contents::of_unit(int unit) {
  const int gpu = unit - context_->n_cpu_units;
  return gpu < 0 ? host_ : gpus_[static_cast<std::size_t>(gpu)];
}

const store& contents::nearest(int unit, const gpu_unit* asking) const {
  const std::vector<int>& units = shape_->cell_at(unit).units;
  const int n = context_->n_cpu_units;
  const auto store_of = [&](int of) -> const store& {
    return of < n ? host_ : gpus_[static_cast<std::size_t>(of - n)];
  };
  if (asking == nullptr) return store_of(units.front() < n ? units.front() : unit);
  return store_of(std::ranges::binary_search(units, asking->unit) ? asking->unit : unit);
}

bool contents::travels_to(const memory_set& memories) const {
  memory_set all = memories;
  if (host_.has_elements()) all.insert(0);
  for (std::size_t i = 0; i < gpus_.size(); ++i)
    if (gpus_[i].has_elements()) all.insert(static_cast<int>(i) + 1);
  return !memories.empty() && all.size() > 1;
}

void contents::make_host(std::byte* user, bool is_const) {
  if (context_->n_cpu_units > 0 && user != nullptr && !shape_->has_pads()) {
    host_.own = host_elements(*shape_);
    host_.held = shape_->all();
    host_.at = frame_of(user, host_.held);
    host_.is_const = is_const;
    return;
  }
  host_ = make_host_store(*context_, *shape_, called);
  if (user != nullptr) copy_in(host_, user);
}

frame contents::dense(const std::byte* memory) const {
  return frame_of(const_cast<std::byte*>(memory), shape_->all());
}

/// f(index_set) for own elements: each time all pieces have one length.
template <class F>
void contents::for_each_own(const store& of, const F& f) const {
  for (const index_set& each : of.own) for_each_common(each, shape_->all(), f);
}

void contents::copy_in(const store& to, const std::byte* from_dense) const {
  if (to.at.first == nullptr) return;
  const frame from = dense(from_dense);
  for_each_own(to, [&](const index_set& what) {
    queue_copy(nullptr, to.gpu, {to.at, from, what, what.begins(), shape_->element});
  });
}

void contents::copy_out(const store& from, std::byte* to_dense) const {
  if (from.at.first == nullptr) return;
  const frame to = dense(to_dense);
  for_each_own(from, [&](const index_set& what) {
    queue_copy(from.gpu, nullptr, {to, from.at, what, what.begins(), shape_->element});
  });
}

// A device cannot set memory: the first bytes come from the host, and what is zero already is copied behind.
void contents::zero(const store& part) const {
  static constexpr std::byte zeros[4096]{};
  const std::size_t bytes = bytes_of(*shape_, part.held);
  std::size_t done = std::min(sizeof zeros, bytes);
  queue_copy(nullptr, part.gpu, {.to = part.at.first, .from = zeros, .bytes = done});
  while (done < bytes) {
    const std::size_t next = std::min(done, bytes - done);
    queue_copy(part.gpu, part.gpu, {.to = part.at.first + done, .from = part.at.first, .bytes = next});
    done += next;
  }
}

void contents::load(store& part) {
  if (part.loaded) return;
  if (part.at.first != nullptr && source_ == nullptr) zero(part);
  if (part.at.first != nullptr && source_ != nullptr) {
    copy_in(part, source_);
    // CPU CUs may write next what the copy reads: each memory computes all of it.
    if (shape_->is_replicated() && host_.at.first == source_) part.gpu->dev->synchronize(part.gpu->stream);
  }
  part.loaded = true;
}

void contents::copy_unloaded(const store& from, std::byte* to_dense) const {
  if (source_ == to_dense) return;
  const frame to = dense(to_dense);
  if (source_ != nullptr) {
    const frame source = dense(source_);
    return for_each_own(from, [&](const index_set& what) {
      queue_copy(nullptr, nullptr, {to, source, what, what.begins(), shape_->element});
    });
  }
  for_each_own(from, [&](const index_set& what) {
    for_each_copy({to, to, what, what.begins(), shape_->element}, [](const box_copy& box) {
      for_each_row(box, [&](void* row, const void*) { std::memset(row, 0, box.bytes); });
    });
  });
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

void contents::leave_user_memory() {
  store elsewhere = make_host_store(*context_, *shape_, called, is_everywhere);
  copy_in(elsewhere, host_.at.first);
  host_ = std::move(elsewhere);
  current = {};
  find_halo_to_exchange();
}

void contents::read_gpus(std::byte* to_dense) const {
  for (const store& part : gpus_) {
    if (!part.is_home) continue;
    if (part.loaded) {
      copy_out(part, to_dense);
    } else {
      copy_unloaded(part, to_dense);
    }
  }
}

void contents::write(const std::byte* from_dense) {
  current = {};
  queue_and_wait([&] {
    wait_for(context_->gpus);
    copy_in(host_, from_dense);
    for (store& part : gpus_) {
      copy_in(part, from_dense);
      part.loaded = true;
    }
  });
}

void contents::read(std::byte* to_dense) const {
  if (host_.at.first != to_dense) copy_out(host_, to_dense);
  queue_and_wait([&] { read_gpus(to_dense); });
}

}  // namespace yoke::detail
