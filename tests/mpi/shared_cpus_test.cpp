#include "shared_cpus.hpp"

#include <support/catch.hpp>

using Catch::Matchers::Contains;
using yoke::detail::note_of_shared_cpus;

TEST_CASE("ranks of a node that may use the same CPU are named", "[mpi]") {
  CHECK(note_of_shared_cpus({}) == "");
  CHECK(note_of_shared_cpus({{"a", {0, 1}}, {"a", {2, 3}}, {"b", {0, 1}}}) == "");
  CHECK_THAT(note_of_shared_cpus({{"a", {0, 1}}, {"b", {2}}, {"b", {1, 2}}}),
             Contains("ranks 1 and 2 on b may both use CPU 2"));
}
