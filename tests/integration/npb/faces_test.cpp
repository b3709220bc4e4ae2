#include "driver/faces/faces.hpp"

#include <numeric>
#include <support/catch.hpp>
#include <vector>

using npb::all_sides;
using npb::side;

namespace {

std::vector<double> numbered(const npb::zone_shape& n, double first) {
  std::vector<double> field(n.field_size());
  std::iota(field.begin(), field.end(), first);
  return field;
}

double at(const npb::zone_shape& n, const std::vector<double>& field, int m, int k, int j, int i) {
  return field[((static_cast<std::size_t>(m) * n.nz + k) * n.ny + j) * n.nx + i];
}

}  // namespace

TEST_CASE("the neighbour's first interior plane arrives on the boundary plane, and nowhere else", "[npb]") {
  const npb::zone_shape here{7, 6, 8};
  const npb::zone_shape west{9, 6, 8};    // same ny, another nx
  const npb::zone_shape south{7, 10, 8};  // same nx, another ny
  std::vector<double> field = numbered(here, 0);
  const std::vector<double> before = field;
  const std::vector<double> from_west = numbered(west, 1e6);
  const std::vector<double> from_south = numbered(south, 2e6);
  const auto receive = [&](const npb::zone_shape& other, const std::vector<double>& from, side s) {
    std::vector<double> face(static_cast<std::size_t>(npb::inner_plane(other, opposite(s)).size()));
    REQUIRE(static_cast<std::size_t>(npb::outer_plane(here, s).size()) == face.size());
    npb::pack(npb::inner_plane(other, opposite(s)), from.data(), face.data());
    npb::unpack(npb::outer_plane(here, s), face.data(), field.data());
  };
  receive(west, from_west, side::west);
  receive(south, from_south, side::south);
  int wrong = 0;
  for (int m = 0; m < 5; ++m)
    for (int k = 0; k < 8; ++k)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 7; ++i) {
          const bool inside = k > 0 && k < 7;
          double expected = at(here, before, m, k, j, i);
          if (inside && i == 0 && j > 0 && j < 5) expected = at(west, from_west, m, k, j, 7);
          if (inside && j == 0 && i > 0 && i < 6) expected = at(south, from_south, m, k, 8, i);
          wrong += at(here, field, m, k, j, i) != expected;
        }
  CHECK(wrong == 0);
}

TEST_CASE("the other two sides take plane 1 of the east and north neighbour", "[npb]") {
  const npb::zone_shape n{6, 7, 6};
  const std::vector<double> from = numbered(n, 1e6);
  std::vector<double> field = numbered(n, 0);
  for (const side s : {side::east, side::north}) {
    std::vector<double> face(static_cast<std::size_t>(npb::inner_plane(n, opposite(s)).size()));
    npb::pack(npb::inner_plane(n, opposite(s)), from.data(), face.data());
    npb::unpack(npb::outer_plane(n, s), face.data(), field.data());
  }
  CHECK(at(n, field, 3, 2, 4, 5) == at(n, from, 3, 2, 4, 1));
  CHECK(at(n, field, 4, 3, 6, 2) == at(n, from, 4, 3, 1, 2));
  CHECK(at(n, field, 4, 3, 6, 5) == at(n, numbered(n, 0), 4, 3, 6, 5));  // edges stay
}

TEST_CASE("every face is received by one zone, and comes back from the opposite side", "[npb]") {
  const npb::problem p = npb::make_problem(npb::benchmark_kind::bt, 'W');
  for (const npb::zone& z : p.zones) {
    for (const side s : all_sides) {
      const npb::zone& other = p.zones[static_cast<std::size_t>(neighbour(z, s))];
      CHECK(&p.zones[static_cast<std::size_t>(neighbour(other, opposite(s)))] == &z);
      CHECK(npb::inner_plane(z.shape, s).size() == npb::outer_plane(other.shape, opposite(s)).size());
    }
  }
}
