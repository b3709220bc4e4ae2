#include "section.hpp"

#include <algorithm>

namespace attack {

section::section(arrays_test::dice& d, std::span<const std::int64_t> extents,
                 const std::vector<double>& values)
    : is_there_{true}, is_all_{!d.one_in(3)} {
  std::int64_t all = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    side& of = sides_[i];
    of = {.size = extents[i], .all = extents[i]};
    if (!is_all_) of = {.size = extents[i], .first = d.upto(2), .step = d.between(1, 3)};
    if (!is_all_) of.all = of.end() + d.upto(2);
    all *= of.all;
  }
  memory_.assign(static_cast<std::size_t>(all), gap);
  std::size_t next = 0;
  each([&](std::size_t at) { memory_[at] = values[next++]; });
}

template <class Body>
void section::each(const Body& body) const {
  for (std::int64_t i = 0; i < sides_[0].size; ++i)
    for (std::int64_t j = 0; j < sides_[1].size; ++j)
      for (std::int64_t k = 0; k < sides_[2].size; ++k) {
        const std::int64_t a = sides_[0].first + i * sides_[0].step;
        const std::int64_t b = sides_[1].first + j * sides_[1].step;
        const std::int64_t c = sides_[2].first + k * sides_[2].step;
        body(static_cast<std::size_t>((a * sides_[1].all + b) * sides_[2].all + c));
      }
}

std::vector<double> section::values() const {
  std::vector<double> found;
  each([&](std::size_t at) { found.push_back(memory_[at]); });
  return found;
}

bool section::has_its_gaps() const {
  std::vector<double> rest = memory_;
  each([&](std::size_t at) { rest[at] = gap; });
  return std::ranges::all_of(rest, [](double each) { return each == gap; });
}

}  // namespace attack
