#include "lu_step.hpp"

namespace npb::lu {
constinit const step_functions step_of_4 = functions_of_width<4>();
}
