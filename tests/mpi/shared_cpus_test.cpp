#include "shared_cpus.hpp"

#include <support/catch.hpp>

using Catch::Matchers::Contains;
using yoke::detail::note_of_shared_cpus;
using yoke::detail::rank_cpus;

namespace {

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

TEST_CASE("ranks of a node that have the same CPUs take equal shares", "[mpi]") {
  const std::vector<int> five{0, 1, 2, 3, 4};
  CHECK(shares_of({{"a", five}, {"b", five}}) == std::vector{0, 5, 0, 5});
  CHECK(shares_of({{"a", five}, {"b", five}, {"a", five}}) == std::vector{0, 2, 0, 5, 2, 5});
  CHECK(shares_of({{"a", {7}}, {"a", {7}}}) == std::vector{0, 1, 0, 1});
  CHECK(shares_of({{"a", {0, 1}}, {"a", {1, 2}}}) == std::vector{0, 2, 0, 2});
}

TEST_CASE("ranks of a node that may use the same CPU are named", "[mpi]") {
  CHECK(note_of({}) == "");
  CHECK(note_of({{"a", {0, 1}}, {"a", {2, 3}}, {"b", {0, 1}}}) == "");
  CHECK_THAT(note_of({{"a", {0, 1}}, {"b", {2}}, {"b", {1, 2}}}),
             Contains("ranks 1 and 2 on b may both use CPU 2"));
  CHECK_THAT(note_of({{"a", {0, 1}}, {"b", {2, 5}}, {"b", {2, 5}}}),
             Contains("ranks 1 to 2 on b the same 2 CPUs, and they take equal shares"));
  CHECK_THAT(note_of({{"a", {0}}, {"a", {0}}}), Contains("may both use CPU 0"));
}
