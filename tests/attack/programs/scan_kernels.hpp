#pragma once
/// Loops of a scan room.

#include <cstdint>

#include <yoke/arrays.hpp>

namespace attack {

/// x -> a x + b, modulo 2^64: to do one after the other depends on their order.
struct affine {
  std::uint64_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
struct then {
  YOKE_HD static affine none() { return {}; }
  YOKE_HD static affine combine(const affine& first, const affine& next) {
    return {next.a * first.a, next.a * first.b + next.b};
  }
};

YOKE_HD inline affine element_of(std::int64_t at, std::uint64_t by) {
  return {by * static_cast<std::uint64_t>(at) + 3, static_cast<std::uint64_t>(at) ^ by};
}

using affine_array = yoke::array<affine, 1>;
void fill(yoke::runtime& rt, std::int64_t from, std::int64_t to, affine_array& x, std::uint64_t by);
affine scan(yoke::runtime& rt, bool is_inclusive, const affine_array& x, affine_array& y,
            const affine& start);

}  // namespace attack
