#include "copy_boxes.hpp"

namespace yoke::detail {

namespace {

void add(levelled_copy& to, const copy_level& level) {
  if (level.n == 1) return;
  const auto bytes = static_cast<std::int64_t>(to.bytes);
  if (to.levels.empty() && level.to == bytes && level.from == bytes) {
    to.bytes *= level.n;
    return;
  }
  if (!to.levels.empty()) {
    copy_level& last = to.levels.back();
    const auto n = static_cast<std::int64_t>(last.n);
    if (level.to == n * last.to && level.from == n * last.from) {
      last.n *= level.n;
      return;
    }
  }
  to.levels.push_back(level);
}

}  // namespace

frame frame_of(std::byte* first, const any_box& held) {
  frame made{.first = first};
  std::int64_t stride = 1;
  for (int d = 3; d >= 0; --d) {
    const auto at = static_cast<std::size_t>(d);
    made.begins[at] = held[d].begin;
    made.strides[at] = stride;
    stride *= held[d].size();
  }
  return made;
}

levelled_copy levels_of(const element_copy& what) {
  const auto element = static_cast<std::int64_t>(what.element);
  levelled_copy made{.to = what.to.first + what.to.distance_to(what.what.begins()) * element,
                     .from = what.from.first + what.from.distance_to(what.begins) * element,
                     .bytes = what.element};
  for (int d = 3; d >= 0; --d) {
    const strip& side = what.what[d];
    const std::int64_t to = what.to.strides[static_cast<std::size_t>(d)] * element;
    const std::int64_t from = what.from.strides[static_cast<std::size_t>(d)] * element;
    add(made, {static_cast<std::size_t>(side.length), to, from});
    add(made, {static_cast<std::size_t>(side.pieces()), side.period * to, side.period * from});
  }
  return made;
}

box_copy box_of(const levelled_copy& what) {
  box_copy box{.to = what.to, .from = what.from, .bytes = what.bytes};
  if (!what.levels.empty()) {
    const copy_level& rows = what.levels[0];
    box.rows = rows.n;
    box.to_pitch.row = static_cast<std::size_t>(rows.to);
    box.from_pitch.row = static_cast<std::size_t>(rows.from);
  }
  if (what.levels.size() > 1) {
    const copy_level& planes = what.levels[1];
    box.planes = planes.n;
    box.to_pitch.plane = static_cast<std::size_t>(planes.to);
    box.from_pitch.plane = static_cast<std::size_t>(planes.from);
  }
  return box;
}

}  // namespace yoke::detail
