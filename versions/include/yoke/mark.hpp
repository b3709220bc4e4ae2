// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Points in the work of streams, and what became of the work.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke::versions {

/// What does its work in order: a stream of a device, a seat of a CPU CU. Null: what has no order of its own.
struct stream {
  const void* self = nullptr;
  friend bool operator==(stream, stream) = default;
};

class mark;
using mark_ptr = std::shared_ptr<mark>;

/// Who queues work and learns of its end. Several may share a table: of work of another one each knows how to
/// wait for it, and no more.
class worker {
 public:
  /// The host waits until `what`, work of this worker, is over and its mark says so. Nobody has the table's
  /// lock. An error of the work stays with the mark; errors of the call: usage_error where nobody may wait.
  virtual void await(const mark_ptr& what) = 0;

 protected:
  ~worker() = default;
};

/// The end of one piece of work: the `number`-th of its stream. What has a smaller number there is over
/// before it. All pieces that the work uses share its mark. Who must know more of it (an event, what must
/// live until the end) derives from this. Changed and read under the lock of the table that has it.
class mark {
 public:
  /// `by`, which lives until the work is over, may be null in a table that has one worker.
  mark(stream on, std::uint64_t number, worker* by = nullptr) : on_{on}, number_{number}, by_{by} {}

  /// Whose it is; what derives from a mark is known by that.
  worker* by() const { return by_; }
  stream on() const { return on_; }
  std::uint64_t number() const { return number_; }
  bool is_under_way() const { return under_way_; }
  /// Why it has failed; null where it is under way or has ended well.
  const std::exception_ptr& error() const { return error_; }

  /// What has a smaller number in the stream is over, too: here and in fail.
  void end() { under_way_ = false; }
  /// The first error stays. What the work has written is broken; see table.
  void fail(std::exception_ptr error) {
    under_way_ = false;
    if (error_ == nullptr) error_ = std::move(error);
  }

 private:
  stream on_;
  std::uint64_t number_;
  worker* by_;
  bool under_way_ = true;
  std::exception_ptr error_{};
};

/// Marks of which something comes after all: of each stream the latest.
class marks {
 public:
  void add(const mark_ptr& next);
  /// Those that are over.
  void forget_ended();
  void clear() { all_.clear(); }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool are_over() const {
    for (const mark_ptr& each : all_)
      if (each->is_under_way()) return false;
    return true;
  }

 private:
  std::vector<mark_ptr> all_{};
};

}  // namespace yoke::versions
