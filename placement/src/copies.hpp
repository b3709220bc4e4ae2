#pragma once
/// Makes and frees the copies of regions.

#include "device_slabs.hpp"
#include "region.hpp"

#include <memory>
#include <mutex>
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
  /// Memory that queued work may still use.
  struct leaving {
    device_slabs* memory;
    void* address;
    event done;
  };
  void* allocate(const region& to, space_id space);
  /// Frees what is done by now; with `wait`, all of that device. False when there was nothing.
  bool collect(const device_slabs& of, bool wait) noexcept;
  device_slabs& memory_of(space_id device_space) const {
    return *devices_[static_cast<std::size_t>(device_space) - 1];
  }
  [[noreturn]] void exhausted(const region& to, space_id space) const;

  const transfer_engine& spaces_;
  std::vector<std::unique_ptr<device_slabs>> devices_;  ///< of space 1, 2, …
  std::mutex lock_;
  std::vector<leaving> leaving_;
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
