#include "sp_host.hpp"

#include "sp_functions.hpp"

namespace npb::sp {

std::unique_ptr<host_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                              pack_width width) {
  return make_two_phase_solver(c, n_threads, largest, scratch_of_a_point,
                               use_packs_of_eight(width) ? step_of_8 : step_of_4);
}

}  // namespace npb::sp
