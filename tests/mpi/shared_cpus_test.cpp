#include "shared_cpus.hpp"

#include <support/catch.hpp>

using Catch::Matchers::Contains;
using yoke::detail::note_of_shared_cpus;
using yoke::detail::rank_cpus;

namespace {

const yoke::detail::node_of_rank node_a{0, "a"}, node_b{1, "b"};

std::string note_of(const std::vector<rank_cpus>& ranks) { return note_of_shared_cpus(ranks); }
/// Of each rank: its first, and the one behind its last.
std::vector<int> shares_of(const std::vector<rank_cpus>& ranks) {
  std::vector<int> all;
  for (const auto& each : yoke::detail::shares_of_cpus(ranks)) {
    all.push_back(each.first);
    all.push_back(each.last);
  }
  return all;
}

}  // namespace

TEST_CASE("ranks that share memory are on one node; of the others those with one name", "[mpi]") {
  const auto numbers = [](const std::vector<std::string>& names,
                          const std::vector<yoke::detail::rank_place>& places) {
    std::vector<int> all;
    for (const auto& each : yoke::detail::nodes_of(names, places)) all.push_back(each.number);
    return all;
  };
  CHECK(numbers({"a", "a", "a", "a"}, {{2, 0}, {2, 1}, {2, 0}, {2, 1}}) == std::vector{0, 1, 0, 1});
  CHECK(numbers({"a", "b", "a", "b"}, {{1, 0}, {1, 1}, {1, 2}, {1, 3}}) == std::vector{0, 1, 0, 1});
  CHECK(numbers({"a", "a", "a"}, {{2, 0}, {2, 0}, {1, 2}}) == std::vector{0, 0, 2});
}

TEST_CASE("ranks of a node that have the same CPUs take equal shares", "[mpi]") {
  const std::vector<int> five{0, 1, 2, 3, 4};
  CHECK(shares_of({{node_a, five}, {node_b, five}}) == std::vector{0, 5, 0, 5});
  CHECK(shares_of({{node_a, five}, {node_b, five}, {node_a, five}}) == std::vector{0, 2, 0, 5, 2, 5});
  CHECK(shares_of({{node_a, {7}}, {node_a, {7}}}) == std::vector{0, 1, 0, 1});
  CHECK(shares_of({{node_a, {0, 1}}, {node_a, {1, 2}}}) == std::vector{0, 2, 0, 2});
}

TEST_CASE("ranks of a node that may use the same CPU are named", "[mpi]") {
  CHECK(note_of({}) == "");
  CHECK(note_of({{node_a, {0, 1}}, {node_a, {2, 3}}, {node_b, {0, 1}}}) == "");
  CHECK_THAT(note_of({{node_a, {0, 1}}, {node_b, {2}}, {node_b, {1, 2}}}),
             Contains("ranks 1 and 2 on b may both use CPU 2"));
  CHECK_THAT(note_of({{node_a, {0, 1}}, {node_b, {2, 5}}, {node_b, {2, 5}}}),
             Contains("ranks 1 to 2 on b the same 2 CPUs, and they take equal shares"));
  CHECK_THAT(note_of({{node_a, {0}}, {node_a, {0}}}), Contains("may both use CPU 0"));
}
