#include <fmt/format.h>

#include <yoke/detail/checked_call.hpp>
#include <yoke/error.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

void checked_call::run(const void* self, const item_range& items) {
  const auto& mine = *static_cast<const checked_call*>(self);
  const checked_indices checked;
  try {
    mine.of_.host_entry(mine.of_.arguments, items);
  } catch (const usage_error& met) {
    throw usage_error{fmt::format("{} '{}' on a CPU CU: {}", mine.launcher_, mine.of_.name, met.what())};
  }
}

kernel_call checked_call::call() const noexcept {
  kernel_call checked = of_;
  checked.host_entry = &run;
  checked.arguments = this;
  return checked;
}

}  // namespace yoke::detail
