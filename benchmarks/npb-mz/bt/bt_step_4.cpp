#include "bt_step.hpp"

namespace npb::bt {
constinit const step_functions step_of_4 = functions_of_width<4>();
}
