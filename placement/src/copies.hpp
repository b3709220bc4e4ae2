#pragma once
/// Makes and frees the copies of regions.

#include "device_slabs.hpp"
#include "leaving.hpp"
#include "region.hpp"

#include <memory>
#include <string>
#include <vector>

namespace yoke::detail {

/// All members that take a region are called under its lock.
class copies {
 public:
  explicit copies(const transfer_engine& spaces);
  ~copies();

  struct added {
    void* address = nullptr;
    bool fresh = false;  ///< made by this call
  };
  /// The copy in `space`, made where there is none. Errors: out_of_memory, device_error.
  added add(region& to, space_id space);
  /// Errors: usage_error on the host, for null, and where there is a copy already.
  void adopt(region& to, void* address, space_id space) const;
  /// Frees the copy where it is ours, forgets it otherwise; no effect where there is none.
  void remove(region& from, space_id space) noexcept;
  /// The same, but the memory is given back only when `done` is.
  void remove_later(region& from, space_id space, event done);

  /// Errors: usage_error naming the space and the range.
  void check_space(space_id space) const;
  /// "space 1 (emulated:0)".
  std::string name_of(space_id space) const;
  /// Bytes that copies can have there. Errors: device_error.
  std::size_t memory_free(space_id space) const;

 private:
  struct give_back {
    device_slabs* to;
    void operator()(void* address) const noexcept { to->deallocate(address); }
  };
  struct device_copies {
    explicit device_copies(device_memory& dev) : memory{dev} {}
    device_slabs memory;
    leaving<std::unique_ptr<void, give_back>> gone;  ///< which queued work may still use
  };
  void* allocate(const region& to, space_id space);
  device_copies& on_device(space_id device_space) const {
    return *devices_[static_cast<std::size_t>(device_space) - 1];
  }
  [[noreturn]] void exhausted(const region& to, space_id space) const;

  const transfer_engine& spaces_;
  std::vector<std::unique_ptr<device_copies>> devices_;  ///< of space 1, 2, …
};

/// A copy for the time of an operation: taken back when that fails, unless it was there before.
class new_copy {
 public:
  new_copy(copies& owner, region& to, space_id space)
      : owner_{owner}, region_{to}, space_{space}, fresh_{owner.add(to, space).fresh} {}
  ~new_copy() {
    if (fresh_) owner_.remove(region_, space_);
  }
  new_copy(const new_copy&) = delete;
  new_copy& operator=(const new_copy&) = delete;
  void keep() noexcept { fresh_ = false; }

 private:
  copies& owner_;
  region& region_;
  space_id space_;
  bool fresh_;
};

}  // namespace yoke::detail
