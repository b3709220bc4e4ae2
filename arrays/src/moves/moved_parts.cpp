#include "moved_parts.hpp"

#include "copy_elements.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

namespace {

/// The memory of `from` with the elements of `to`.
void keep(store& from, store& to) {
  to.at = from.at;
  to.held = from.held;
  to.is_const = from.is_const;
  to.region = std::exchange(from.region, nullptr);
  to.memory = std::move(from.memory);
}

}  // namespace

moved_parts::moved_parts(contents& of, std::shared_ptr<const layout> shape)
    : of_{of}, shape_{std::move(shape)} {
  try {
    make_gpus();
    make_host();
  } catch (...) {
    free_stores(of_.context(), gpus_);
    throw;
  }
}

moved_parts::~moved_parts() { free_stores(of_.context(), gpus_); }

bool moved_parts::can_hold(const store& in, const any_box& own) const {
  const any_box held = box_held_for(*shape_, own);
  for (int d = 0; d < 4; ++d)
    if (!contains(in.held[d], held[d])) return false;
  return in.at.first != nullptr;
}

// What is kept has no memory here.
void moved_parts::make_gpus() {
  gpus_.reserve(of_.gpus().size());
  for (const store& now : of_.gpus()) {
    store next = elements_of(*shape_, *now.gpu);
    const any_box hull = of_.is_everywhere ? shape_->all() : hull_of(next.own);
    const bool is_large = bytes_of(*shape_, now.held) > 2 * bytes_of(*shape_, box_held_for(*shape_, hull));
    if (can_hold(now, hull) && !is_large) {
      gpus_.push_back(std::move(next));
    } else {
      gpus_.push_back(make_gpu_store(of_.context(), *shape_, *now.gpu, of_.called, of_.is_everywhere));
    }
  }
}

void moved_parts::make_host() {
  std::vector<index_set> own =
      of_.context().n_cpu_units > 0 ? host_elements(*shape_) : std::vector<index_set>{};
  if (can_hold(of_.host(), of_.is_everywhere ? shape_->all() : hull_of(own))) {
    host_.own = std::move(own);
  } else {
    host_ = make_host_store(of_.context(), *shape_, of_.called, of_.is_everywhere);
  }
}

const store& moved_parts::memory_of(const store& next) const {
  if (next.at.first != nullptr) return next;
  return next.gpu == nullptr ? of_.host() : of_.of_unit(next.gpu->unit);
}

void moved_parts::load() {
  for (store& part : of_.gpus()) of_.load(part);
}

void moved_parts::queue(ordered_copies& copies) {
  of_.current = {};  // elements may arrive where halos are
  queue_elements(host_, copies);
  for (const store& part : gpus_) queue_elements(part, copies);
}

void moved_parts::queue_elements(const store& to, ordered_copies& copies) const {
  const store& memory = memory_of(to);
  if (memory.is_const) return;  // has them all
  for (const index_set& own : to.own)
    for_each_source(of_, own, to.gpu, [&](const store& from, const index_set& what) {
      if (&from == &memory) return;
      for_each_copy({memory.at, from.at, what, what.begins(), shape_->element},
                    [&](const box_copy& box) { copies.add(from.gpu, to.gpu, box); });
    });
}

void moved_parts::take() {
  if (host_.at.first == nullptr) keep(of_.host(), host_);
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    if (gpus_[i].at.first == nullptr && (gpus_[i].has_elements() || of_.is_everywhere))
      keep(of_.gpus()[i], gpus_[i]);
    gpus_[i].loaded = true;
  }
  of_.exchange_parts(shape_, host_, gpus_);
}

void move_all(std::list<moved_parts>& moves, array_context& context) {
  try {
    for (moved_parts& each : moves) each.load();
    ordered_copies copies{context};
    for (moved_parts& each : moves) each.queue(copies);
    copies.close();
    copies.wait_on_host();
    wait_for(context.gpus);
  } catch (...) {
    drain(context.gpus);
    throw;
  }
  for (moved_parts& each : moves) each.take();
}

void hold_everywhere(contents& what) {
  if (what.holds_all_everywhere()) return;
  const bool before = std::exchange(what.is_everywhere, true);
  try {
    std::list<moved_parts> moves;
    moves.emplace_back(what, std::make_shared<const layout>(what.shape()));
    move_all(moves, what.context());
  } catch (...) {
    what.is_everywhere = before;
    throw;
  }
}

}  // namespace yoke::detail
