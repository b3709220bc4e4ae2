// Zones on nodes of a fat tree: the model by hand, on small ones.
#include "cluster.hpp"

#include <support/catch.hpp>

using tools::cluster_case;
using tools::cluster_row;
using tools::fat_tree;

namespace {

constexpr fat_tree plain{
    .bandwidth = 1e9, .latency = 1e-3, .hop = 1e-4, .ports = 4, .taper = 2, .message = 1e-5};

/// Zones of 10 x 10 x 3 points, 64 of them inside, on nodes of `units` CPUs that take a second for each of
/// these.
cluster_case grid_of(int x_zones, int y_zones, int units, int nodes) {
  const yoke::zone_grid grid{10 * x_zones, 10 * y_zones, 3, x_zones, y_zones, 1};
  const yoke::simulated_unit one{.alone = {.launch = 0, .per_weight = 1.0 / 64}};
  return {.machine_name = "made up",
          .cus = {.cpu_units = units, .cpus_per_unit = 1},
          .node = {.units = std::vector(static_cast<std::size_t>(units), one)},
          .network = plain,
          .grid = grid,
          .work = yoke::zones_of(grid, 8, 1000),
          .most_nodes = nodes};
}

}  // namespace

TEST_CASE("a tree has as many levels as its nodes need", "[cluster]") {
  const fat_tree usual;
  CHECK(usual.switches(1) == 1);
  CHECK(usual.switches(32) == 1);
  CHECK(usual.switches(33) == 3);
  CHECK(usual.switches(1024) == 3);
  CHECK(usual.switches(1025) == 5);
}

TEST_CASE("messages take their number, the way and their bytes", "[cluster]") {
  CHECK(plain.time(2, 3, 1'000'000) == Approx(3e-5 + 1e-3 + 1e-3));
  CHECK(plain.time(3, 3, 1'000'000) == Approx(3e-5 + 1e-3 + 2e-4 + 2e-3));  // two more switches, half as wide
}

TEST_CASE("a step is its border, then the rest or its messages", "[cluster]") {
  const std::vector<cluster_row> rows = run_cluster(grid_of(4, 4, 1, 16));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].step_s == Approx(16));
  CHECK(rows[0].messages == 0);
  // Halves of 2 x 4 zones: each zone has one face of 8 x 1 inner points at the other half.
  CHECK(rows[1].zones == 8);
  CHECK(rows[1].border == 1);
  CHECK(rows[1].messages == 1);
  CHECK(rows[1].bytes == 8 * 8000);
  CHECK(rows[1].exchange_s == Approx(1e-5 + 1e-3 + 64e-6));
  CHECK(rows[1].step_s == Approx(8 + rows[1].exchange_s));
  CHECK(rows[4].zones == 1);
  CHECK(rows[4].messages == 4);
  CHECK(rows[4].efficiency == Approx(16 / (16 * rows[4].step_s)));
}

TEST_CASE("messages that travel while inner zones run cost nothing", "[cluster]") {
  const std::vector<cluster_row> rows = run_cluster(grid_of(8, 4, 1, 2));
  CHECK(rows[1].border == Approx(0.5));
  CHECK(rows[1].step_s == Approx(16));
  CHECK(rows[1].limit == "-");
}

TEST_CASE("what a GPU sends goes through host memory on both sides", "[cluster]") {
  cluster_case what = grid_of(4, 4, 1, 2);
  const double before = run_cluster(what)[1].exchange_s;
  what.node.units[0].seen.kind = yoke::unit_kind::gpu;
  what.node.units[0].to_host = {.bandwidth = 1e6, .latency = 0.25};
  CHECK(run_cluster(what)[1].exchange_s == Approx(before + 2 * (0.25 + 64e-3)));
}

TEST_CASE("it is said what limits", "[cluster]") {
  const std::vector<cluster_row> few = run_cluster(grid_of(2, 2, 2, 64));
  REQUIRE(few.size() == 3);  // more nodes than zones have nothing to do
  CHECK(few[2].limit == "whole zones: 1 on 2 units");
  cluster_case slow = grid_of(4, 4, 1, 2);
  slow.network.latency = 3;
  CHECK(run_cluster(slow)[1].limit == "exchange");
  cluster_case launching = grid_of(4, 4, 1, 16);
  launching.node.units[0].seen.kind = yoke::unit_kind::gpu;  // one launch for all zones
  launching.node.units[0].alone.launch = 5;
  CHECK(run_cluster(launching)[4].limit == "launches");
}

TEST_CASE("where the work grows each node has a tile with neighbours around", "[cluster]") {
  cluster_case what = grid_of(4, 4, 1, 16);
  what.is_weak = true;
  const std::vector<cluster_row> rows = run_cluster(what);
  REQUIRE(rows.size() == 5);
  const int messages[] = {0, 1, 2, 3, 4};
  const std::size_t sides[] = {0, 2, 4, 4, 4};  // 1 x 1, 1 x 2, 2 x 2, 2 x 4, 4 x 4 nodes
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].zones == 16);
    CHECK(rows[i].messages == messages[i]);
    CHECK(rows[i].bytes == sides[i] * 4 * 8000);
  }
  CHECK(rows[1].border == Approx(0.5));
  CHECK(rows[4].border == Approx(0.75));
  CHECK(rows[4].efficiency == Approx(1));
}
