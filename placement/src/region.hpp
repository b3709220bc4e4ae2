#pragma once
/// What the table knows of one region.

#include "host_guard.hpp"
#include "transfer_engine.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <yoke/placed.hpp>
#include <yoke/region_table.hpp>
#include <yoke/version_table.hpp>

namespace yoke::detail {

/// The copy of a region in one space.
struct holding {
  std::atomic<void*> address{nullptr};
  bool owned = false;  ///< freed by the table
};

/// Objects of this type are reused but not freed before the table ends, so that a reader may hold one while
/// it is being unregistered. Atomics are read without the lock; everything is changed under it, except by the
/// registration that publishes `start` last, and loans, which only their unit changes.
struct region {
  region(int n_spaces, int n_gpu_units)
      : holdings{std::make_unique<holding[]>(static_cast<std::size_t>(n_spaces))},
        loans{std::make_unique<std::atomic<std::uint64_t>[]>(static_cast<std::size_t>(n_gpu_units))} {}

  std::atomic<key> start{nullptr};  ///< null: not registered
  std::atomic<std::size_t> bytes{0};
  versions::piece piece{};  ///< in the table of versions
  // Of what that says, for who takes no lock:
  std::atomic<int> placement{-1};  ///< where it is at home
  /// Whether a write has more to do than to look at the placement: a copy or a kernel may run, or there are
  /// read copies.
  std::atomic<bool> busy{false};
  /// By space, of the first 64: whether a read has nothing to wait for.
  std::atomic<std::uint64_t> readable{0};
  bool reserved = false;   ///< the table owns the address range
  bool of_placed = false;  ///< a placed object owns the region
  // What messages say: of a region that is not registered any more, what it was.
  std::string called{};  ///< "region 3", "region 'forces'", or what it is for
  std::string_view element{}, advice{};
  key was_at = nullptr;
  std::unique_ptr<holding[]> holdings;
  /// By GPU unit: when it was given a plain address last, and whether to write (see loans.hpp).
  std::unique_ptr<std::atomic<std::uint64_t>[]> loans;
  std::mutex lock;
  std::unique_ptr<host_guard> guard;  ///< null where checks are off

  holding& at(space_id space) { return holdings[static_cast<std::size_t>(static_cast<int>(space))]; }
  const holding& at(space_id space) const {
    return holdings[static_cast<std::size_t>(static_cast<int>(space))];
  }
  void* address_in(space_id space) const { return at(space).address.load(std::memory_order_acquire); }
};

}  // namespace yoke::detail
