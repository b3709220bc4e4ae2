#include "halo_pieces.hpp"

#include <algorithm>

namespace yoke::detail {

namespace {

/// Of one dimension.
struct side_piece {
  strip at;
  std::int64_t from = 0;
  int place = 0;  ///< on the side of the grid that the dimension follows
  bool is_outside = false;
};

/// How far from `at` on the source goes on without a change of place, end or direction.
std::int64_t end_of_piece(const dimension& of, const dimension_cut& cut, std::int64_t at, std::int64_t most) {
  const bool is_reflected = (at < 0 && of.at_low == edge_policy::reflecting) ||
                            (at >= of.extent && of.at_high == edge_policy::reflecting);
  if (is_reflected) return at + 1;
  const std::int64_t source = of.inside(at);
  const auto place = static_cast<std::size_t>(cut.place_of(source));
  const std::int64_t of_place = at + cut.cuts[place + 1] - source;
  const std::int64_t of_extent = at < 0 ? 0 : at < of.extent ? of.extent : most;
  return std::min({most, of_place, of_extent});
}

std::vector<side_piece> pieces_of_blocks(const dimension& of, const dimension_cut& cut, const bound& own,
                                         const bound& all) {
  std::vector<side_piece> pieces;
  for (std::int64_t at = all.begin, next = at; at < all.end; at = next) {
    const std::int64_t most = at < own.begin ? own.begin : at < own.end ? own.end : all.end;
    next = end_of_piece(of, cut, at, most);
    const std::int64_t source = of.inside(at);
    pieces.push_back({strip{bound{at, next}}, source, cut.place_of(source), at < own.begin || at >= own.end});
  }
  return pieces;
}

/// The own indices and as many beside them as are wanted. A dimension that is not cut is one piece.
std::vector<side_piece> pieces_of(const layout& shape, int d, const strip& own, const halo_state& wanted,
                                  const bound& held) {
  const dimension_cut& cut = shape.cut_of(d);
  if (!cut.is_cut()) return {{strip{held}, held.begin, 0, false}};
  if (cut.goes_round()) {
    std::vector<side_piece> pieces;
    const int place = cut.place_of(own.begin);
    for_each_common(own, held,
                    [&](const strip& each) { pieces.push_back({each, each.begin, place, false}); });
    return pieces;
  }
  const auto at = static_cast<std::size_t>(d);
  const bound all = common(held, bound{own.begin - wanted.low[at], own.end + wanted.high[at]});
  return pieces_of_blocks(shape[d], cut, own.hull(), all);
}

class pieces_around {
 public:
  pieces_around(const layout& shape, const halo_state& wanted, int near) : shape_{shape}, wanted_{wanted} {
    const auto place = std::ranges::find(shape.grid.units, near) - shape.grid.units.begin();
    near_ = shape.grid.coordinates_of(static_cast<int>(place));
  }

  std::vector<halo_piece> of(const index_set& own, const any_box& held) {
    for (int d = 0; d < 4; ++d)
      sides_[static_cast<std::size_t>(d)] = pieces_of(shape_, d, own[d], wanted_, held[d]);
    made_.at = own;
    add(0, 0);
    return std::move(all_);
  }

 private:
  void add(std::size_t d, int n_outside) {
    if (n_outside > 1 && !wanted_.corners) return;
    if (d == 4) {
      if (n_outside == 0) return;
      made_.unit = unit_at(near_);
      return all_.push_back(made_);
    }
    for (const side_piece& each : sides_[d]) {
      made_.at.sides[d] = each.at;
      made_.from[d] = each.from;
      if (shape_.cut[d].is_cut()) near_[static_cast<std::size_t>(shape_.cut[d].grid_side)] = each.place;
      add(d + 1, n_outside + (each.is_outside ? 1 : 0));
    }
  }

  int unit_at(const std::array<int, 4>& coordinates) const {
    int place = 0;
    for (std::size_t g = 0; g < 4; ++g) place = place * shape_.grid.sides[g] + coordinates[g];
    return shape_.grid.units[static_cast<std::size_t>(place)];
  }

  const layout& shape_;
  const halo_state& wanted_;
  std::array<int, 4> near_{};
  std::array<std::vector<side_piece>, 4> sides_;
  halo_piece made_;
  std::vector<halo_piece> all_;
};

}  // namespace

std::vector<halo_piece> halo_around(const layout& shape, const index_set& own, const halo_state& wanted,
                                    const any_box& held, int near) {
  return pieces_around{shape, wanted, near}.of(own, held);
}

}  // namespace yoke::detail
