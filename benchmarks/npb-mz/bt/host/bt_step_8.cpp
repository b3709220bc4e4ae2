// Compiled for x86-64-v4; nothing in here may be called before the CPU was asked.
#include "../bt_method.hpp"
#include "bt_lines.hpp"
#include "bt_planes.hpp"

namespace npb::bt {
constinit const step_functions method::step_of_8 =
    functions_of<plane_step<pack<8>>, line_step<pack<8>, z_line>>();
}
