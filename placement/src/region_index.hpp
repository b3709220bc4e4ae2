#pragma once
/// From a key to its region, wait-free for readers.

#include "region.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace yoke::detail {

/// Open addressing with linear probing, at most half full. Readers take no lock; writers exclude each other
/// (the caller's lock). Growing publishes a new table; the old one stays until the index ends, since a reader
/// may still be in it. Old tables together are smaller than the current one.
class region_index {
 public:
  region_index();

  /// nullptr when the key is unknown. The result may be unregistered at any time: check its `start`.
  region* find(key wanted) const noexcept;
  /// Makes room, so that the next insert cannot fail.
  void reserve_one();
  void insert(key wanted, region* object) noexcept;
  void erase(key wanted) noexcept;

 private:
  struct slot {
    std::atomic<key> wanted{nullptr};
    std::atomic<region*> object{nullptr};
  };
  struct table {
    explicit table(std::size_t capacity) : slots(capacity) {}
    std::vector<slot> slots;
    std::size_t first_of(key wanted) const noexcept;
    std::size_t next(std::size_t i) const noexcept { return (i + 1) & (slots.size() - 1); }
    void insert(key wanted, region* object) noexcept;
  };
  /// Marks a slot whose key is gone but which others may lie behind; no object starts at this address.
  static const key gone;

  std::atomic<table*> current_;
  std::vector<std::unique_ptr<table>> tables_;  ///< the last is the current one
  std::size_t used_ = 0;                        ///< slots that are not empty, marks included
};

}  // namespace yoke::detail
