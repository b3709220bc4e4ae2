#include "loop_parts.hpp"
#include "shared_tiles.hpp"

#include <yoke/detail/checked_call.hpp>
#include <yoke/launch.hpp>

namespace yoke::detail {

void run_on_cpus(kernel_call call, bool checks, shared_tiles* tiles) {
  const checked_call checked{call, "for_each"};
  if (checks) call = checked.call();
  tiles != nullptr ? tiles->run(call) : run_on_calling_unit(call);
}

}  // namespace yoke::detail
