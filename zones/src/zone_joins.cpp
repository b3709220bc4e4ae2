#include "zone_joins.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include <yoke/error.hpp>

namespace yoke::detail {

bool zone_turn::is_none() const { return *this == zone_turn{}; }

zone_turn zone_turn::inverse() const {
  zone_turn made;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto other = static_cast<std::size_t>(of[d]);
    made.of[other] = static_cast<int>(d);
    made.is_backwards[other] = is_backwards[d];
  }
  return made;
}

std::array<face_ends, 2> ends_of(const zone_join& join) {
  return {face_ends{join.a, join.b, join.turn.inverse()}, face_ends{join.b, join.a, join.turn}};
}

std::string name_of(zone_end end) {
  return fmt::format("the {} side of dimension {} of zone {}", end.at.is_high ? "high" : "low",
                     end.at.dimension, end.zone);
}

namespace {

std::string text_of(const zone_transform& turn, int dimensions) {
  return fmt::format("{{{}}}", fmt::join(turn.begin(), turn.begin() + dimensions, ", "));
}

/// Errors: usage_error where it does not name each dimension once.
zone_turn turn_of(const zone_transform& said, int dimensions) {
  zone_turn turn;
  std::vector<int> named;
  const int outer = 3 - dimensions;
  for (int d = 0; d < dimensions; ++d) {
    const int to = said[static_cast<std::size_t>(d)];
    named.push_back(std::abs(to));
    turn.of[static_cast<std::size_t>(outer + d)] = outer + std::abs(to) - 1;
    turn.is_backwards[static_cast<std::size_t>(outer + d)] = to < 0;
  }
  std::ranges::sort(named);
  for (int d = 0; d < dimensions; ++d)
    if (named[static_cast<std::size_t>(d)] != d + 1)
      throw usage_error{
          fmt::format("join: a transform {}; each of 1 to {} is accepted once, with or without a minus",
                      text_of(said, dimensions), dimensions)};
  return turn;
}

/// Who goes out of `a` across the face comes into `b`.
void check_leads_in(zone_end a, zone_end b, const zone_turn& turn, bool is_said) {
  const auto d = static_cast<std::size_t>(a.at.dimension);
  const bool wants_backwards = a.at.is_high == b.at.is_high;
  if (turn.of[d] == b.at.dimension && turn.is_backwards[d] == wants_backwards) return;
  throw usage_error{fmt::format(
      "join: {} and {}; {}", name_of(a), name_of(b),
      is_said ? fmt::format("their transform says {}{} for dimension {}, where {}{} leads into zone {}",
                            turn.is_backwards[d] ? "-" : "", turn.of[d] + 1, a.at.dimension,
                            wants_backwards ? "-" : "", b.at.dimension + 1, b.zone)
              : "a high side goes to a low one of the same dimension, or a transform says how b is turned")};
}

}  // namespace

zone_join join_of(std::span<const zone_box> boxes, int dimensions, zone_end a, zone_end b,
                  zone_transform said) {
  const bool is_said = said != zone_transform{};
  if (!is_said) said = {1, 2, 3};
  const int outer = 3 - dimensions;
  const zone_turn turn = turn_of(said, dimensions);
  zone_turn shown = turn;  // dimensions as the program counts them
  for (int& each : shown.of) each -= outer;
  std::ranges::rotate(shown.of, shown.of.begin() + outer);
  std::ranges::rotate(shown.is_backwards, shown.is_backwards.begin() + outer);
  check_leads_in(a, b, shown, is_said);
  const zone_box &of_a = boxes[static_cast<std::size_t>(a.zone)],
                 &of_b = boxes[static_cast<std::size_t>(b.zone)];
  for (int d = 0; d < dimensions; ++d) {
    if (d == a.at.dimension) continue;
    const auto mine = static_cast<std::size_t>(outer + d);
    const auto other = static_cast<std::size_t>(turn.of[mine]);
    if (of_a.n[mine] != of_b.n[other])
      throw usage_error{
          fmt::format("join: {} and {}: {} and {} points in dimension {}{}; faces are alike", name_of(a),
                      name_of(b), of_a.n[mine], of_b.n[other], d,
                      turn.of[mine] == outer + d ? "" : fmt::format(" and {}", turn.of[mine] - outer))};
  }
  a.at.dimension += outer;
  b.at.dimension += outer;
  return {a, b, turn};
}

}  // namespace yoke::detail
