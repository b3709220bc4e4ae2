#include "../sp_method.hpp"
#include "sp_lines.hpp"
#include "sp_planes.hpp"

namespace npb::sp {
constinit const step_functions method::step_of_4 =
    functions_of<plane_step<pack<4>>, line_step<pack<4>, z_line>>();
}
