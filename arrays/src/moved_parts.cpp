#include "moved_parts.hpp"

#include <algorithm>
#include <utility>

namespace yoke::detail {

namespace {

bound common(const bound& a, const bound& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// The memory of `from` with the rows of `to`.
void keep(store& from, store& to) {
  to.first = from.first;
  to.room = from.room;
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

bool moved_parts::has_room_for(const store& in, bound own) const {
  const bound room = room_for(*shape_, own);
  return in.first != nullptr && room.begin >= in.room.begin && room.end <= in.room.end;
}

// What is kept has no memory here.
void moved_parts::make_gpus() {
  gpus_.reserve(of_.gpus().size());
  for (const store& now : of_.gpus()) {
    const bound own = shape_->rows_of(now.gpu->unit);
    const bool is_large = now.room.size() > 2 * room_for(*shape_, own).size();
    if (has_room_for(now, own) && !is_large) {
      gpus_.push_back({.own = own, .gpu = now.gpu});
    } else {
      gpus_.push_back(make_gpu_store(of_.context(), *shape_, *now.gpu));
    }
  }
}

void moved_parts::make_host() {
  const bound own = host_rows(of_.context(), *shape_);
  if (has_room_for(of_.host(), own)) {
    host_.own = own;
  } else {
    host_ = make_host_store(of_.context(), *shape_);
  }
}

const store& moved_parts::memory_of(const store& next) const {
  if (next.first != nullptr) return next;
  return next.gpu == nullptr ? of_.host() : of_.of_unit(next.gpu->unit);
}

void moved_parts::load() {
  for (store& part : of_.gpus()) of_.load(part);
}

void moved_parts::queue(ordered_copies& copies) {
  of_.current = {};  // rows may arrive where halos are
  queue_rows(host_, copies);
  for (const store& part : gpus_) queue_rows(part, copies);
}

void moved_parts::queue_rows(const store& to, ordered_copies& copies) const {
  const store& memory = memory_of(to);
  const auto bring = [&](const store& from) {
    if (&from == &memory) return;
    if (!of_.shape().distributed && from.gpu != to.gpu) return;  // each memory has all
    const bound rows = common(from.own, to.own);
    if (rows.size() == 0) return;
    copies.add(from.gpu, to.gpu,
               {.to = of_.row(memory, rows.begin),
                .from = of_.row(from, rows.begin),
                .bytes = shape_->row_bytes() * static_cast<std::size_t>(rows.size())});
  };
  bring(of_.host());
  for (const store& part : of_.gpus()) bring(part);
}

void moved_parts::take() {
  if (host_.first == nullptr) keep(of_.host(), host_);
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    if (gpus_[i].first == nullptr && gpus_[i].has_rows()) keep(of_.gpus()[i], gpus_[i]);
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

}  // namespace yoke::detail
