#include "region_index.hpp"

namespace yoke::detail {

namespace {
const char gone_mark = 0;
}
const key region_index::gone = &gone_mark;

region_index::region_index() {
  tables_.push_back(std::make_unique<table>(64));
  current_.store(tables_.back().get(), std::memory_order_release);
}

void region_index::table::insert(key wanted, region* object) noexcept {
  std::size_t i = first_of(wanted);
  while (slots[i].wanted.load(std::memory_order_relaxed) != nullptr) i = next(i);
  slots[i].object.store(object, std::memory_order_relaxed);
  slots[i].wanted.store(wanted, std::memory_order_release);
}

void region_index::reserve_one() {
  const table& old = *tables_.back();
  if ((used_ + 1) * 2 <= old.mask + 1) return;
  auto bigger = std::make_unique<table>((old.mask + 1) * 2);
  tables_.reserve(tables_.size() + 1);
  used_ = 0;
  for (std::size_t i = 0; i <= old.mask; ++i) {
    const slot& each = old.slots[i];
    const key kept = each.wanted.load(std::memory_order_relaxed);
    if (kept == nullptr || kept == gone) continue;
    bigger->insert(kept, each.object.load(std::memory_order_relaxed));
    ++used_;
  }
  current_.store(bigger.get(), std::memory_order_release);
  tables_.push_back(std::move(bigger));
}

void region_index::insert(key wanted, region* object) noexcept {
  tables_.back()->insert(wanted, object);
  ++used_;
}

void region_index::erase(key wanted) noexcept {
  table& in = *tables_.back();
  std::size_t i = in.first_of(wanted);
  while (in.slots[i].wanted.load(std::memory_order_relaxed) != wanted) i = in.next(i);
  in.slots[i].wanted.store(gone, std::memory_order_release);
  // Where the chain ends here, the marks at its end are empty slots again: nothing can lie behind them.
  if (in.slots[in.next(i)].wanted.load(std::memory_order_relaxed) != nullptr) return;
  while (in.slots[i].wanted.load(std::memory_order_relaxed) == gone) {
    in.slots[i].wanted.store(nullptr, std::memory_order_release);
    --used_;
    i = (i - 1) & in.mask;
  }
}

}  // namespace yoke::detail
