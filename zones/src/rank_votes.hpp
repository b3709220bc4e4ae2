#pragma once
/// What ranks must have alike, and what they tell each other.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <yoke/ranks.hpp>

namespace yoke::detail {

/// Of bytes that ranks should have alike: FNV-1a, 64 bits.
class fingerprint {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(std::span<const T> values) {
    for (const std::byte each : std::as_bytes(values))
      value_ = (value_ ^ static_cast<std::uint64_t>(each)) * prime;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void add(T value) {
    add(std::span<const T>{&value, 1});
  }
  void add(std::string_view text) {
    add(text.size());
    add(std::span<const char>{text});
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t value_ = 14695981039346656037u;
};

/// Of values that are alike in number on all ranks, by rank.
template <class T>
  requires std::is_trivially_copyable_v<T>
std::vector<std::vector<T>> gathered(ranks& among, std::span<const T> mine) {
  std::vector<std::vector<T>> all;
  for (const std::vector<std::byte>& each : among.gather(std::as_bytes(mine))) {
    std::vector<T>& made = all.emplace_back(each.size() / sizeof(T));
    if (!made.empty()) std::memcpy(made.data(), each.data(), made.size() * sizeof(T));
  }
  return all;
}

/// The first rank whose value is another than that of rank 0; -1: none.
template <class T>
int first_unlike(const std::vector<std::vector<T>>& all, std::size_t which) {
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank].size() <= which || all[rank][which] != all[0][which]) return static_cast<int>(rank);
  return -1;
}

}  // namespace yoke::detail
