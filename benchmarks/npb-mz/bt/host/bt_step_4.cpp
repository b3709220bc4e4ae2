#include "../bt_method.hpp"
#include "bt_lines.hpp"
#include "bt_planes.hpp"

namespace npb::bt {
constinit const step_functions method::step_of_4 =
    functions_of<plane_step<pack<4>>, line_step<pack<4>, z_line>>();
}
