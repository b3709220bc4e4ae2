#include "../common/two_phase_benchmark.hpp"
#include "bt_method.hpp"

namespace npb::bt {

std::unique_ptr<benchmark> make_benchmark(problem what) {
  return std::make_unique<two_phase_benchmark<method>>(std::move(what));
}

}  // namespace npb::bt
