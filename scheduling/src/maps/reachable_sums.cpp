#include "reachable_sums.hpp"

#include <algorithm>

namespace yoke::scheduling {

reachable_sums::reachable_sums(std::int64_t n) : n_{n}, words_(static_cast<std::size_t>(n / 64 + 1)) {
  words_[0] = 1;
}

// From the last word down, so that `from` may be this.
void reachable_sums::add_moved(const reachable_sums& from, std::int64_t by) {
  const auto words = static_cast<std::size_t>(by / 64);
  const int bits = static_cast<int>(by % 64);
  for (std::size_t i = words_.size(); i-- > words;) {
    std::uint64_t moved = from.words_[i - words] << bits;
    if (bits > 0 && i > words) moved |= from.words_[i - words - 1] >> (64 - bits);
    words_[i] |= moved;
  }
}

reachable_sums reachable_sums::plus(const std::vector<interval>& terms) const {
  reachable_sums all = *this;
  all.words_.assign(words_.size(), 0);
  for (const interval& term : terms) {
    reachable_sums wide = *this;
    const std::int64_t length = term.last - term.first + 1;
    for (std::int64_t covered = 1; covered < length;) {
      const std::int64_t by = std::min(covered, length - covered);
      wide.add_moved(wide, by);
      covered += by;
    }
    all.add_moved(wide, term.first);
  }
  return all;
}

}  // namespace yoke::scheduling
