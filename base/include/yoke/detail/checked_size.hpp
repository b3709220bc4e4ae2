// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sizes that a program asks for, where they are multiplied: the one home of what may be too much for a
/// number.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <yoke/compiler.hpp>

namespace yoke::detail {

/// Of a loop, and along one dimension of an array, at most: nobody comes to an end of so many, and what is
/// rounded up or has a halo beside it is a number still.
inline constexpr std::int64_t most_indices = std::int64_t{1} << 62;
/// Of anything: what the difference of two addresses can be.
inline constexpr auto most_addressable = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());

/// The product, or nothing where it is above `most`, whatever comes behind.
constexpr std::optional<std::size_t> product_of(std::span<const std::size_t> factors,
                                                std::size_t most = most_addressable) {
  std::size_t product = 1;
  for (const std::size_t each : factors)
    if (__builtin_mul_overflow(product, each, &product) || product > most) return std::nullopt;
  return product;
}
constexpr std::optional<std::size_t> product_of(std::initializer_list<std::size_t> factors) {
  return product_of(std::span{factors.begin(), factors.size()});
}
/// The sum, or nothing where that is above most_addressable.
constexpr std::optional<std::size_t> sum_of(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum > most_addressable) return std::nullopt;
  return sum;
}

/// The number of indices in [begin, end), or nothing where that is above most_indices.
constexpr std::optional<std::int64_t> distance_of(std::int64_t begin, std::int64_t end) {
  if (end <= begin) return 0;
  const std::uint64_t n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  if (n > static_cast<std::uint64_t>(most_indices)) return std::nullopt;
  return static_cast<std::int64_t>(n);
}

/// A product in digits, also where no size_t has it.
std::string product_in_words(std::span<const std::size_t> factors);
/// Bytes of an array of `extents`, of which those that are 0 count as 1: neither what it has nor what lies
/// between its rows is more than an address can count. Errors: usage_error that names `what`, the extents and
/// the bytes that they would have.
std::size_t bytes_of_elements(std::string_view what, std::span<const std::size_t> extents,
                              std::size_t element);
/// Of `n` elements. Errors: as above.
std::size_t bytes_of_elements(std::string_view what, std::size_t n, std::size_t element);

/// Errors: usage_error.
[[noreturn]] void refuse_index(std::uint64_t given);
/// An index or extent of any integer type. Errors: on a host, usage_error for one that int64 does not hold.
template <std::integral N>
YOKE_HD constexpr std::int64_t to_index(N n) {
  if constexpr (is_host_pass && std::is_unsigned_v<N> && sizeof(N) >= sizeof(std::int64_t))
    if (n > static_cast<N>(std::numeric_limits<std::int64_t>::max()))
      refuse_index(static_cast<std::uint64_t>(n));
  return static_cast<std::int64_t>(n);
}

}  // namespace yoke::detail
