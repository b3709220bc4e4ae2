/// Leaves of reductions that are cut by parts of the last dimension.
#include "../../arrays/src/shapes/row_start.hpp"

#include <support/catch.hpp>

#include <yoke/detail/reduction_loop.hpp>

namespace {

using yoke::bound;
using yoke::detail::cut_into_leaves;
using yoke::detail::cut_part;

}  // namespace

TEST_CASE("a part has whole leaves, and pieces of those that a cut goes through", "[arrays][reduction]") {
  const bound all{100, 5000};
  const cut_part middle = cut_into_leaves({1500, 3500}, all);
  CHECK(middle.whole == bound{2048, 3072});
  REQUIRE(middle.n_pieces == 2);
  CHECK(middle.pieces[0].begin == 1500);
  CHECK(middle.pieces[0].end == 2048);
  CHECK(middle.pieces[0].leaf == 1);
  CHECK(middle.pieces[1].begin == 3072);
  CHECK(middle.pieces[1].leaf == 3);
}

TEST_CASE("the ends of a loop cut no leaf", "[arrays][reduction]") {
  const cut_part whole = cut_into_leaves({100, 5000}, {100, 5000});
  CHECK(whole.n_pieces == 0);
  CHECK(whole.whole == bound{100, 5000});
}

TEST_CASE("a part inside one leaf is one piece", "[arrays][reduction]") {
  const cut_part inside = cut_into_leaves({1100, 1200}, {0, 5000});
  REQUIRE(inside.n_pieces == 1);
  CHECK(inside.pieces[0].begin == 1100);
  CHECK(inside.pieces[0].end == 1200);
  CHECK(inside.whole.size() == 0);
}

TEST_CASE("a leaf that several cuts go through is shared once", "[arrays][reduction]") {
  const std::int64_t cuts[]{-5, 10, 20, 1024, 1030, 3000};
  CHECK(yoke::detail::shared_leaves(cuts, {-5, 3000}) == std::vector<std::int64_t>{1, 2});
  CHECK(yoke::detail::run_of(-1) == -1);
  CHECK(yoke::detail::run_of(-1024) == -1);
  CHECK(yoke::detail::run_of(-1025) == -2);
}

TEST_CASE("a device combines the leaves of trees that it has as a whole", "[arrays][reduction]") {
  using yoke::detail::whole_trees;
  CHECK(whole_trees({0, 1000}, 2000) == bound{0, 768});
  CHECK(whole_trees({100, 1000}, 2000) == bound{256, 768});
  CHECK(whole_trees({100, 1000}, 1000) == bound{256, 1000});
  CHECK(whole_trees({300, 500}, 1000).size() == 0);
  CHECK(whole_trees({0, 7}, 7) == bound{0, 7});
}

TEST_CASE("rows that begin within a line of memory alike are told from others", "[arrays]") {
  using yoke::detail::elements_past_line;
  CHECK(elements_past_line({.first = 1024 + 8, .element = 8, .stride = 1024, .length = 1022}) == 1);
  CHECK(elements_past_line({.first = 1024 + 120, .element = 8, .stride = 16, .length = 1022}) == 15);
  CHECK(elements_past_line({.first = 1024 + 120, .element = 8, .length = 256}) == 15);
  CHECK(elements_past_line({.first = 1024, .element = 8, .length = 1022}) == 0);
  CHECK(elements_past_line({.first = 1032, .element = 8, .stride = 1000, .length = 998}) == 0);
  CHECK(elements_past_line({.first = 1032, .element = 8, .stride = 1024, .length = 255}) == 0);
  CHECK(elements_past_line({.first = 1032, .element = 24, .stride = 16, .length = 1000}) == 0);
  CHECK(elements_past_line({.first = 1026, .element = 4, .length = 1000}) == 0);
}
