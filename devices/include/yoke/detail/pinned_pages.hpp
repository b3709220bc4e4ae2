// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Host memory that is pinned where it is. Backends keep one of these: vendors pin whole pages, each of them
/// once, whatever shares them, and refuse a copy of memory that was not pinned in one piece.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Which pages are pinned, and by how many ranges. A range counts for every page that it touches, so that
/// neighbours may share one; a page is pinned by its first use and unpinned after its last.
///
///   pages_.add(first, bytes, [](void* at, std::size_t n) { check(host_register(at, n, …), …); }, unpin);
///
/// Thread-safe. Cost: some comparisons for each run of pages; copies ask in_one_piece, which is one load
/// where nothing is pinned.
class pinned_pages {
 public:
  using pin_pages = std::function<void(void* first, std::size_t bytes)>;
  using unpin_pages = std::function<void(void* first)>;

  /// Counts one more use of the pages of [first, first + bytes), and has those pinned that were not, in runs
  /// as long as can be. When `pin` throws, nothing has changed.
  void add(const void* first, std::size_t bytes, const pin_pages& pin, const unpin_pages& unpin);
  /// Takes back what `add` did for the same range; runs without a use are unpinned.
  void remove(const void* first, std::size_t bytes, const unpin_pages& unpin) noexcept;

  /// How many bytes from `first` on, `bytes` at most, one copy may take: they are of one run, or none of them
  /// is pinned.
  std::size_t in_one_piece(const void* first, std::size_t bytes) const;
  std::size_t n_runs() const;

 private:
  struct run {
    std::uintptr_t last = 0;  ///< behind it
    int uses = 0;
  };
  struct range {
    std::uintptr_t first;
    std::uintptr_t last;
  };

  static range pages_of(const void* first, std::size_t bytes);
  /// What of the range is not pinned.
  std::vector<range> gaps(range pages) const;
  void release(range pages, const unpin_pages& unpin);

  mutable std::mutex lock_;
  std::map<std::uintptr_t, run> runs_;  ///< by their first address, disjoint
  std::atomic<bool> any_{false};
};

}  // namespace yoke::detail
