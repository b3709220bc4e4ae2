#include "operators.hpp"

#include <algorithm>
#include <cstddef>

namespace apps {

namespace {

void add_row(compressed_rows& to, std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  const auto from = [](std::int64_t at) { return std::max<std::int64_t>(at - 1, 0); };
  const auto last = [&](std::int64_t at) { return std::min(at + 1, n - 1); };
  const std::int64_t row = (i * n + j) * n + k;
  for (std::int64_t a = from(i); a <= last(i); ++a)
    for (std::int64_t b = from(j); b <= last(j); ++b)
      for (std::int64_t c = from(k); c <= last(k); ++c) {
        const std::int64_t column = (a * n + b) * n + c;
        to.columns.push_back(static_cast<std::int32_t>(column));
        to.values.push_back(column == row ? 26 : -1);
      }
  to.offsets.push_back(std::ssize(to.values));
}

}  // namespace

compressed_rows operator_of_27_points(std::int64_t n) {
  compressed_rows made{.offsets = {0}, .columns = {}, .values = {}};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k < n; ++k) add_row(made, n, i, j, k);
  return made;
}

padded_rows padded(const compressed_rows& from) {
  padded_rows made;
  for (std::size_t row = 0; row + 1 < from.offsets.size(); ++row) {
    const auto begin = from.offsets[row], end = from.offsets[row + 1];
    made.columns.insert(made.columns.end(), from.columns.begin() + begin, from.columns.begin() + end);
    made.values.insert(made.values.end(), from.values.begin() + begin, from.values.begin() + end);
    made.columns.resize((row + 1) * padded_rows::width, static_cast<std::int32_t>(row));
    made.values.resize((row + 1) * padded_rows::width, 0);
  }
  return made;
}

}  // namespace apps
