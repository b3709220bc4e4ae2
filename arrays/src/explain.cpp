#include "balance.hpp"

#include <fmt/format.h>

#include <yoke/array_handle.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

std::string cuts_of(const layout& shape) {
  std::string text;
  for (std::size_t unit = 0; unit + 1 < shape.cuts.size(); ++unit)
    text += fmt::format(" [{}, {})", shape.cuts[unit], shape.cuts[unit + 1]);
  return text;
}

}  // namespace

bool array_handle::balance() const {
  refuse_in_region("balance");
  const std::lock_guard guard{state().context().lock};
  const layout& shape = state().usable("balance").shape();
  if (!shape.balanced)
    throw usage_error{"balance: the array is not balanced; make it with dist::balanced in dimension 0"};
  return balance_rows(shape[0].extent, state().context(), scheduling::balancer::haste::now);
}

std::string array_handle::explain() const {
  const std::lock_guard guard{state().context().lock};
  const layout& shape = state().usable("explain").shape();
  if (!shape.distributed)
    return fmt::format("dimension 0, [0, {}): all of it in each memory", shape[0].extent);
  const std::string cuts =
      fmt::format("dimension 0, [0, {}), is cut into{}", shape[0].extent, cuts_of(shape));
  if (!shape.balanced) return cuts + " and stays so";
  return cuts + "; balanced: " + balancer_of(shape[0].extent, state().context()).explain();
}

}  // namespace yoke::detail
