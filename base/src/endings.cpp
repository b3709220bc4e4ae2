#include <yoke/endings.hpp>

namespace yoke::detail {

constinit thread_local bool is_thread_of_device = false;

}  // namespace yoke::detail
