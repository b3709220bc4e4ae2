#include "../src/shapes/cuts.hpp"

#include <fmt/format.h>
#include <memory>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

[[noreturn]] void refuse(const side_to_cut& side, const std::string& what) {
  throw usage_error{fmt::format("dimension {}: dist::by: {}", side.dimension, what)};
}

void check_offsets(const std::vector<std::int64_t>& offsets, const side_to_cut& side) {
  if (offsets.empty()) refuse(side, "no offsets; n rows have n + 1");
  if (offsets.front() != 0) refuse(side, fmt::format("the offsets begin with {}; 0", offsets.front()));
  for (std::size_t row = 1; row < offsets.size(); ++row)
    if (offsets[row] < offsets[row - 1])
      refuse(side,
             fmt::format("the offsets decrease from {} to {} behind row {}; each row ends where it begins, "
                         "or behind that",
                         offsets[row - 1], offsets[row], row - 1));
  if (offsets.back() != side.n)
    refuse(side, fmt::format("the offsets of {} rows end with {}, and there are {} elements",
                             offsets.size() - 1, offsets.back(), side.n));
}

dimension_cut cut_by(const std::shared_ptr<const offset_rows>& rows, const side_to_cut& side,
                     array_context& context) {
  const offset_rows& by = *rows;
  check_offsets(by.offsets, side);
  if (by.how.of() == distribution::kind::by)
    refuse(side, "the rows follow other rows; a distribution of rows");
  const side_to_cut of_rows{
      .dimension = side.dimension, .n = std::ssize(by.offsets) - 1, .places = side.places};
  check_length(by.how, of_rows);
  dimension_cut made = cut_of(by.how, of_rows, context);
  if (made.goes_round())
    refuse(side, "the rows go round, and elements that follow them would be here and there; dist::block");
  if (made.follows_rows())
    refuse(side, "the rows are along elements that follow rows; along an array of rows");
  if (std::ssize(made.cuts) != side.places + 1)
    refuse(side, fmt::format("the rows are cut into {} parts, and the dimension into {}; no grid",
                             made.cuts.size() - 1, side.places));
  made.offsets = {rows, &by.offsets};
  made.cut_at(std::move(made.cuts));
  return made;
}

}  // namespace

extern const distribution_kind by_distribution;
constinit const distribution_kind by_distribution{
    .name = "by", .cut = [](const distribution& how, const side_to_cut& side, array_context& context) {
      return cut_by(how.rows(), side, context);
    }};

}  // namespace yoke::detail
