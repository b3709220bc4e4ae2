#include "../../scheduling/src/learning/map_changes.hpp"

#include "../../scheduling/src/learning/alternatives.hpp"

#include <support/catch.hpp>
#include <vector>

namespace scheduling = yoke::scheduling;

TEST_CASE("a map is tried only where it can be left again", "[scheduling][auto]") {
  const std::vector<yoke::unit> units(2);
  const scheduling::alternative what = scheduling::make_alternative({{yoke::task_id{0}}, {}}, units);
  scheduling::map_changes made;
  for (int n = 0; n < 5; ++n) {
    CHECK(made.may_be_more(100, false));
    CHECK(made.may_be_more(100, true) == (n < 4));
    CHECK_FALSE(made.may_be_more(0, false));
    made.make(what, units, n, n == 4 ? std::optional{0.9} : std::nullopt, 0);
  }
  CHECK_FALSE(made.may_be_more(100, false));
  made.start_again();
  CHECK(made.may_be_more(100, true));
}
