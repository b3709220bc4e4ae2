#include "team_of.hpp"

namespace npb {

yoke::scheduling::team_model team_of(const problem& what) {
  constexpr double planes_that_do_not_go_round = 0.1;
  const int planes = what.zones.front().shape.nz - 2;  // of all zones
  switch (what.kind) {
    case benchmark_kind::bt:
      return {planes_that_do_not_go_round, 350, planes};
    case benchmark_kind::sp:
      return {planes_that_do_not_go_round, 2500, planes};
    default:
      return {planes_that_do_not_go_round, 4400, planes};
  }
}

}  // namespace npb
