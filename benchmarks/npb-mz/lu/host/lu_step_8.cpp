// Compiled for x86-64-v4; nothing in here may be called before the CPU was asked.
#include "lu_step.hpp"

namespace npb::lu {
constinit const step_functions step_of_8 = functions_of_width<8>();
}
