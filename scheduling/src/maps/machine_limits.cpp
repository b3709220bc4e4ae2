#include "machine_limits.hpp"

#include "assignment.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke::scheduling {

namespace {

using detail::amounts, detail::amounts_or_none, detail::batch_times, detail::deviations, detail::factors;

void check(double value, const detail::number_range& range, std::string_view what) {
  if (range.has(value)) return;
  throw usage_error{fmt::format("the simulated machine: {} is {}; {}", what, value, range.accepted())};
}

void check_link(const link_speed& link, std::string_view of) {
  check(link.bandwidth, amounts_or_none, fmt::format("the bandwidth {}", of));
  check(link.latency, amounts_or_none, fmt::format("the latency {}", of));
}

void check_unit(const simulated_unit& one, std::size_t number) {
  const std::string of = fmt::format("of unit {}", number);
  check(one.alone.launch, amounts_or_none, "launch " + of);
  check(one.alone.per_weight, amounts, "per_weight " + of);
  check(one.noise, deviations, "noise " + of);
  check(one.drift, deviations, "drift " + of);
  check_link(one.to_host, of);
}

void check_change(const speed_change& change, std::size_t units) {
  if (change.unit < 0 || change.unit >= static_cast<int>(units))
    throw usage_error{fmt::format("the simulated machine changes unit {} in pass {}, but has {} units",
                                  int{change.unit}, change.pass, units)};
  check(change.speed, amounts_or_none,
        fmt::format("the speed of unit {} from pass {} on", int{change.unit}, change.pass));
}

}  // namespace

void check_machine(const simulated_machine& machine) {
  if (machine.units.empty()) throw usage_error{"the simulated machine has no units"};
  for (std::size_t u = 0; u < machine.units.size(); ++u) check_unit(machine.units[u], u);
  for (const slowdown& by : machine.slowdowns)
    for (const auto& [units, factor] : by)
      check(factor, factors, fmt::format("the slowdown of {} units", units));
  check_link(machine.between_devices, "between devices");
  for (const speed_change& change : machine.changes) check_change(change, machine.units.size());
}

void check_machine(const simulated_machine& machine, const workload& work) {
  check_machine(machine);
  if (work.n_tasks == 0) return;
  const double one = 1;
  const auto [light, heavy] = work.weights.empty() ? std::pair{one, one} : [&] {
    const auto found = std::ranges::minmax(work.weights);
    return std::pair{found.min, found.max};
  }();
  for (std::size_t u = 0; u < machine.units.size(); ++u)
    for (const double weight : {light, heavy}) {
      const speed& alone = machine.units[u].alone;
      check(alone.launch + alone.per_weight * weight, batch_times,
            fmt::format("the time of a task of weight {} on unit {}", weight, u));
    }
}

}  // namespace yoke::scheduling
