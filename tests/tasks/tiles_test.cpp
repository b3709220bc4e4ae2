// Matrices in tiles.
#include "kernels.hpp"

#include <numeric>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task_group;
using matrix = yoke::tiles<number, 2>;

std::vector<number> counted(std::int64_t n_elements) {
  std::vector<number> all(static_cast<std::size_t>(n_elements));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

TEST_CASE("a matrix comes back from its tiles as it went, whatever is left at its edges", "[tiles]") {
  yoke::runtime rt;
  for (const yoke::matrix_tiling& how :
       {yoke::matrix_tiling{7, 5, 3, 2}, {6, 4, 3, 2}, {1, 9, 4, 4}, {3, 3, 1, 1}, {2, 3, 9, 9}}) {
    matrix a{rt, how};
    const std::vector<number> whole = counted(how.rows * how.columns);
    a.scatter(whole);
    std::vector<number> back(whole.size());
    std::as_const(a).gather(back);
    CHECK(back == whole);
    for (std::int64_t i = 0; i < a.n_rows(); ++i)
      for (std::int64_t j = 0; j < a.n_columns(); ++j) {
        const auto tile = std::as_const(a).tile(i, j).host();
        REQUIRE(std::ssize(tile) == a.rows_of(i) * a.columns_of(j));
        for (std::int64_t e = 0; e < std::ssize(tile); ++e)
          CHECK(tile[static_cast<std::size_t>(e)] == (i * how.tile_rows + e / a.columns_of(j)) * how.columns +
                                                         j * how.tile_columns + e % a.columns_of(j));
      }
  }
}

TEST_CASE("tasks on tiles come after one another tile by tile", "[tiles]") {
  yoke::runtime rt;
  matrix a{rt, {.rows = 3 * n, .columns = 3, .tile_rows = n, .tile_columns = 1}, "A"};
  task_group g{rt};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) fill(g, a.tile(i, j), 3 * i + j);
  for (int k = 1; k < 3; ++k)
    for (int i = 0; i < 3; ++i) add(g, a.tile(i, k - 1), a.tile(i, k), 1);
  g.wait();
  std::vector<number> all(9 * n);
  a.gather(all);
  for (std::size_t row = 0; row < 3 * n; ++row) {
    const number i = static_cast<number>(row / n);
    number before = 3 * i;
    CHECK(all[3 * row] == before);
    for (std::size_t k = 1; k < 3; ++k) {
      before = 31 * (3 * i + static_cast<number>(k)) + before;
      CHECK(all[3 * row + k] == before);
    }
  }
}

TEST_CASE("what is no matrix, no tile or another size is refused", "[tiles]") {
  yoke::runtime rt;
  CHECK(support::refusal([&] { matrix{rt, {3, 0, 1, 1}, "A"}; }) == "tiles A: columns is 0; 1 or more");
  CHECK(support::refusal([&] { matrix{rt, {3, 3, 1, -1}, "A"}; }) ==
        "tiles A: tile_columns is -1; 1 or more");
  CHECK_THAT(support::refusal([&] { matrix{rt, {1LL << 40, 1LL << 40, 1, 1}, "A"}; }),
             Catch::Matchers::Contains("no memory has so many"));
  matrix a{rt, {3, 3, 2, 2}, "A"};
  CHECK(support::refusal([&] { a.tile(2, 0); }) == "tiles A: tile (2, 0); it has 2 x 2, from (0, 0)");
  CHECK(support::refusal([&] { a.scatter(counted(8)); }) == "tiles A: scatter of 8 elements; 3 x 3 are 9");
  CHECK(matrix{}.n_rows() == 0);
  CHECK_THAT(support::refusal([] { matrix{}.tile(0, 0); }), Catch::Matchers::Contains("it has 0 x 0"));
}
