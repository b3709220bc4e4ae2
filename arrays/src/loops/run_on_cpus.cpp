#include "loop_parts.hpp"
#include "shared_tiles.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/launch.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

namespace {

/// A call that checks the indices of views while it runs.
struct checked_call {
  const char* name;
  void (*entry)(const void*, const item_range&);
  const void* arguments;
};

void run_checked(const void* arguments, const item_range& items) {
  const auto& call = *static_cast<const checked_call*>(arguments);
  const checked_indices checked;
  try {
    call.entry(call.arguments, items);
  } catch (const usage_error& met) {
    throw usage_error{fmt::format("for_each '{}' on a CPU CU: {}", call.name, met.what())};
  }
}

}  // namespace

void run_on_cpus(kernel_call call, bool checks, shared_tiles* tiles) {
  const checked_call checked{call.name, call.host_entry, call.arguments};
  if (checks) {
    call.host_entry = &run_checked;
    call.arguments = &checked;
  }
  tiles != nullptr ? tiles->run(call) : run_on_calling_unit(call);
}

}  // namespace yoke::detail
