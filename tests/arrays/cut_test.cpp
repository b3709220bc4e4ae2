#include "../../arrays/src/shapes/distribution_kinds.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

namespace dist = yoke::dist;
using yoke::detail::dimension_cut;
using yoke::detail::kind_of;
using yoke::detail::strip;

/// How many of the places have each of n elements, and whether place_of agrees.
std::vector<int> owners(const dimension_cut& cut, int places, std::int64_t n) {
  std::vector<int> found(static_cast<std::size_t>(n));
  for (int place = 0; place < places; ++place) {
    const strip own = cut.strip_of(place, n);
    for (std::int64_t i = 0; i < own.pieces(); ++i)
      for (std::int64_t at = own.piece(i).begin; at < own.piece(i).end; ++at)
        found[static_cast<std::size_t>(at)] += cut.place_of(at) == place ? 1 : 100;
  }
  return found;
}

}  // namespace

TEST_CASE("each distribution is at its own place in the list", "[arrays][cut]") {
  CHECK(kind_of(dist::block).name == "block");
  CHECK(kind_of(dist::weighted({1})).name == "weighted");
  CHECK(kind_of(dist::balanced).name == "balanced");
  CHECK(kind_of(dist::cyclic).name == "cyclic");
  CHECK(kind_of(dist::duplicate).name == "duplicate");
}

TEST_CASE("blocks of any lengths go round, and each element is in one of them", "[arrays][cut]") {
  const std::vector<std::int64_t> round =
      GENERATE(std::vector<std::int64_t>{1}, std::vector<std::int64_t>{1, 1, 1},
               std::vector<std::int64_t>{2, 5, 1}, std::vector<std::int64_t>{7, 1, 3, 2});
  const std::int64_t n = GENERATE(0, 1, 2, 7, 8, 9, 40, 53);
  CAPTURE(round, n);
  const dimension_cut cut{.round = round};
  CHECK(owners(cut, static_cast<int>(round.size()), n) == std::vector<int>(static_cast<std::size_t>(n), 1));
}

TEST_CASE("blocks that are longer than any array leave all to the first place", "[arrays][cut]") {
  const dimension_cut cut{.round = std::vector(3, std::numeric_limits<std::int64_t>::max())};
  CHECK(cut.strip_of(0, 10) == strip{yoke::bound{10}});
  CHECK(cut.strip_of(1, 10).empty());
  CHECK(cut.strip_of(2, 10).empty());
  CHECK(cut.place_of(9) == 0);
}

TEST_CASE("cuts are equal whatever has made them", "[arrays][cut]") {
  const dimension_cut blocks{.grid_side = 0, .cuts = {0, 2, 4}, .by = &kind_of(dist::block)};
  const dimension_cut weights{.grid_side = 0, .cuts = {0, 2, 4}, .by = &kind_of(dist::weighted({1, 1}))};
  CHECK(blocks == weights);
}
