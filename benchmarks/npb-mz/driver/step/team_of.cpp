#include "team_of.hpp"

namespace npb {

yoke::scheduling::team_model team_of(benchmark_kind kind) {
  constexpr double planes_that_do_not_go_round = 0.1;
  switch (kind) {
    case benchmark_kind::bt:
      return {planes_that_do_not_go_round, 350};
    case benchmark_kind::sp:
      return {planes_that_do_not_go_round, 2500};
    default:
      return {planes_that_do_not_go_round, 4400};
  }
}

}  // namespace npb
