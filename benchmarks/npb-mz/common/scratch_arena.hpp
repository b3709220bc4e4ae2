#pragma once
/// Scratch memory of host solvers, one block for each thread.

#include "aligned_doubles.hpp"
#include "ring_layout.hpp"

#include <cstddef>
#include <cstdint>

namespace npb {

/// Hands out parts of a block, one after the other, each from a cache line on. Without a block it only
/// counts.
class scratch_arena {
 public:
  explicit scratch_arena(double* block) : block_{block} {}

  double* take(std::int64_t n) {
    double* part = block_ == nullptr ? nullptr : block_ + taken_;
    taken_ += static_cast<std::size_t>((n + line - 1) / line * line);
    return part;
  }
  ring_memory take(const ring_layout& ring) {
    return {.state = take(ring.state_size()),
            .derived = take(ring.derived_size()),
            .x_weights = take(ring.weights_size())};
  }
  /// Doubles so far.
  std::size_t taken() const { return taken_; }

 private:
  static constexpr std::int64_t line = 8;  // doubles of a cache line

  double* block_;
  std::size_t taken_ = 0;
};

/// The memory of one thread: `Parts` is what carve(arena) gives, which takes the same parts at each call.
template <class Parts>
class thread_memory {
 public:
  template <class Carve>
  explicit thread_memory(const Carve& carve) : memory_{size_of(carve)} {
    scratch_arena arena{memory_.data()};
    parts_ = carve(arena);
  }
  const Parts& parts() const { return parts_; }

 private:
  template <class Carve>
  static std::size_t size_of(const Carve& carve) {
    scratch_arena counted{nullptr};
    carve(counted);
    return counted.taken();
  }

  aligned_doubles memory_;
  Parts parts_{};
};

}  // namespace npb
