#include "../memory/array_state.hpp"

#include <fmt/format.h>

#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

void check_transposed(const array_handle& from, const array_handle& to) {
  refuse_in_region("transpose");
  refuse_in_recording("transpose");
  const std::lock_guard guard{from.state().context().lock};
  const layout& a = from.state().usable("transpose").shape();
  const layout& b = to.state().usable("transpose").shape();
  if (&from.state().context() != &to.state().context())
    throw usage_error{"transpose: the arrays are of two runtimes"};
  if (&from.state() == &to.state())
    throw usage_error{"transpose: an array into itself; a second one takes the elements"};
  if (a[0].extent == b[1].extent && a[1].extent == b[0].extent) return;
  throw usage_error{fmt::format("transpose: an array of {} x {} into one of {} x {}, which is not {} x {}",
                                a[0].extent, a[1].extent, b[0].extent, b[1].extent, a[1].extent,
                                a[0].extent)};
}

}  // namespace yoke::detail
