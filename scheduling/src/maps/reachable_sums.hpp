#pragma once
/// Which numbers from 0 to n are sums of terms, one of each of some sets.

#include <cstdint>
#include <vector>

namespace yoke::scheduling {

/// [first, last].
struct interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const interval&, const interval&) = default;
};

/// Bits 0 to n.
class reachable_sums {
 public:
  /// 0 alone.
  explicit reachable_sums(std::int64_t n);

  bool has(std::int64_t sum) const {
    return sum >= 0 && sum <= n_ && (words_[static_cast<std::size_t>(sum / 64)] >> (sum % 64) & 1) != 0;
  }
  /// Each number plus each term. Cost: n / 64 words, times the logarithm of an interval's length.
  reachable_sums plus(const std::vector<interval>& terms) const;

 private:
  void add_moved(const reachable_sums& from, std::int64_t by);

  std::int64_t n_;
  std::vector<std::uint64_t> words_;
};

}  // namespace yoke::scheduling
