#pragma once
/// What the table knows of one region.

#include "transfer_engine.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

#include <yoke/region_table.hpp>

namespace yoke::detail {

/// The copy of a region in one space.
struct holding {
  std::atomic<void*> address{nullptr};
  bool owned = false;  ///< freed by the table
};

/// Objects of this type are reused but not freed before the table ends, so that a reader may hold one while
/// it is being unregistered. Atomics are read without the lock; everything is changed under it, except by the
/// registration that publishes `start` last.
struct region {
  explicit region(int n_spaces) : holdings{std::make_unique<holding[]>(static_cast<std::size_t>(n_spaces))} {}

  std::atomic<key> start{nullptr};  ///< null: not registered
  std::atomic<std::size_t> bytes{0};
  std::atomic<int> placement{-1};
  std::atomic<bool> busy{false};  ///< whether `pending` holds something
  bool reserved = false;          ///< the table owns the address range
  std::unique_ptr<holding[]> holdings;
  std::mutex lock;
  std::optional<in_flight> pending;  ///< the last asynchronous operation, until somebody has waited for it

  holding& at(space_id space) { return holdings[static_cast<std::size_t>(static_cast<int>(space))]; }
  const holding& at(space_id space) const {
    return holdings[static_cast<std::size_t>(static_cast<int>(space))];
  }
  void* address_in(space_id space) const { return at(space).address.load(std::memory_order_acquire); }
};

}  // namespace yoke::detail
