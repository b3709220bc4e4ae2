#include <algorithm>
#include <iterator>
#include <unistd.h>

#include <yoke/detail/pinned_pages.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// The first run that ends behind `at`.
template <class Runs>
auto first_behind(Runs& runs, std::uintptr_t at) {
  auto next = runs.upper_bound(at);
  if (next != runs.begin() && std::prev(next)->second.last > at) --next;
  return next;
}

void* address(std::uintptr_t at) { return reinterpret_cast<void*>(at); }

}  // namespace

pinned_pages::range pinned_pages::pages_of(const void* first, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  // Where the range would wrap round it ends with the addresses, and the vendor refuses it.
  const std::uintptr_t most = ~std::uintptr_t{0} - page - begin;
  return {begin / page * page, (begin + std::min(bytes, most) + page - 1) / page * page};
}

std::vector<pinned_pages::range> pinned_pages::gaps(range pages) const {
  std::vector<range> found;
  std::uintptr_t at = pages.first;
  for (auto each = first_behind(runs_, at); each != runs_.end() && each->first < pages.last; ++each) {
    if (at < each->first) found.push_back({at, each->first});
    at = each->second.last;
  }
  if (at < pages.last) found.push_back({at, pages.last});
  return found;
}

void pinned_pages::add(const void* first, std::size_t bytes, const pin_pages& pin, const unpin_pages& unpin) {
  const range pages = pages_of(first, bytes);
  const std::lock_guard guard{lock_};
  const std::vector<range> missing = gaps(pages);
  std::size_t done = 0;
  try {
    for (const range& each : missing) {
      pin(address(each.first), each.last - each.first);
      ++done;
    }
  } catch (...) {
    while (done > 0) unpin(address(missing[--done].first));
    throw;
  }
  for (const range& each : missing) runs_.emplace(each.first, run{.last = each.last});
  for (auto each = first_behind(runs_, pages.first); each != runs_.end() && each->first < pages.last; ++each)
    ++each->second.uses;
  any_ = true;
}

void pinned_pages::remove(const void* first, std::size_t bytes, const unpin_pages& unpin) noexcept {
  const range pages = pages_of(first, bytes);
  const std::lock_guard guard{lock_};
  YOKE_ASSERT(gaps(pages).empty(), "host memory is unpinned that was not pinned");
  release(pages, unpin);
}

void pinned_pages::release(range pages, const unpin_pages& unpin) {
  for (auto each = first_behind(runs_, pages.first); each != runs_.end() && each->first < pages.last;) {
    if (--each->second.uses > 0) {
      ++each;
    } else {
      unpin(address(each->first));
      each = runs_.erase(each);
    }
  }
  any_ = !runs_.empty();
}

std::size_t pinned_pages::in_one_piece(const void* first, std::size_t bytes) const {
  if (!any_) return bytes;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  const std::lock_guard guard{lock_};
  const auto next = first_behind(runs_, at);
  if (next == runs_.end()) return bytes;
  const std::uintptr_t end = next->first <= at ? next->second.last : next->first;
  return std::min<std::size_t>(bytes, end - at);
}

std::size_t pinned_pages::n_runs() const {
  const std::lock_guard guard{lock_};
  return runs_.size();
}

}  // namespace yoke::detail
