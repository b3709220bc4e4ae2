#include <numeric>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

namespace {

using yoke::device_ptr;
using yoke::view;

struct negate_at {
  YOKE_HD void operator()(yoke::item at, view<double, 2> u) const { u(at.y, at.x) = -u(at.y, at.x); }
};

std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

/// Rows 10 to 12 of a wide array, columns 4 to 7, as they lie in `memory`, 6 to a row.
view<double, 2> part_of(std::vector<double>& memory) {
  return {device_ptr{memory.data()}, {10, 4}, {3, 4}, {6, 1}};
}

}  // namespace

TEST_CASE("a view with begins has the indices of the whole array", "[devices][view]") {
  std::vector<double> memory = counting(18);
  const view<double, 2> part = part_of(memory);
  CHECK(&part(10, 4) == &memory[0]);
  CHECK(&part(12, 7) == &memory[15]);
  CHECK(&part(yoke::loop_index<2>{11, 5}) == &memory[7]);
  CHECK(part.begin(0) == 10);
  CHECK(part.end(1) == 8);
  CHECK(part.first().address() == memory.data());
  const view<const double, 2> for_reading = part;
  CHECK(&for_reading(12, 7) == &memory[15]);
  CHECK(for_reading.begin(1) == 4);
  CHECK(&part.with_contiguous_rows()(11, 5) == &memory[7]);
}

TEST_CASE("indices are checked on a thread of the host as long as one asks for it", "[devices][view]") {
  std::vector<double> memory = counting(18);
  const view<double, 2> part = part_of(memory);
  const auto run = [&](std::int64_t y, std::int64_t first, std::int64_t last) {
    yoke::run_on_host<negate_at>(y, first, last, part);
  };
  {
    const yoke::checked_indices checked;
    run(11, 4, 8);
    CHECK(memory[9] == -9);
    CHECK(support::message_of<yoke::usage_error>([&] { run(11, 4, 9); }) ==
          "a kernel used the index (11, 8) of a view of [10, 13) x [4, 8), its argument 1, counted from 1, "
          "at item "
          "(8, 11); stay inside, or make the view of all that is to be used");
    const yoke::checked_indices once_more;
    CHECK_THROWS_AS(run(9, 4, 5), yoke::usage_error);
  }
  run(11, 8, 10);
  CHECK(memory[10] == -10);
}

TEST_CASE("an index counts its numbers from the left", "[devices][view]") {
  constexpr yoke::loop_index<4> at{5, 6, 7, 8};
  CHECK(at[0] == at.i);
  CHECK(at[1] == 6);
  CHECK(at[2] == at.k);
  CHECK(at[3] == 8);
  CHECK(yoke::loop_index<3>{1, 2, 3}[2] == 3);
  CHECK(yoke::loop_index<1>{4}[0] == 4);
}
