#include "result.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace npb {

namespace {

constexpr double much = 0.1, most_of_a_step = 0.9;

double busiest_of(const run_result& r, bool gpu) {
  double busy = 0;
  for (const unit_result& u : r.units)
    if (u.is_gpu == gpu) busy = std::max(busy, u.busy_s());
  return busy;
}

int idle_cpu_units(const run_result& r) {
  return static_cast<int>(
      std::ranges::count_if(r.units, [](const unit_result& u) { return !u.is_gpu && u.tasks == 0; }));
}

/// What a launch takes of a step of the unit; 0 where it is not known.
double launch_part(const run_result& r, const unit_result& u) {
  const auto at = static_cast<std::size_t>(u.id);
  if (!u.is_gpu || at >= r.learnt.units.size() || !r.learnt.units[at].is_known()) return 0;
  return r.learnt.units[at].usual.launch / r.step_s();
}

std::string of_busiest(const run_result& r, const unit_result& u) {
  if (const double part = launch_part(r, u); part > 3 * much)
    return fmt::format("launches take {:.0f}% of its step: a larger class, or fewer and larger zones",
                       100 * part);
  if (const double part = u.exchange_s / u.busy_s(); part > much)
    return fmt::format("exchange takes {:.0f}% of its time: fewer CUs that exchange, or larger zones",
                       100 * part);
  return "";
}

std::string of_balance(const run_result& r) {
  const double cpus = busiest_of(r, false), gpus = busiest_of(r, true);
  if (gpus > 0 && cpus > (1 + much) * gpus)
    return fmt::format("the GPUs are busy {:.0f}% of the time and wait for CPU CUs: fewer zones for CPUs",
                       100 * gpus / r.seconds);
  if (r.best_step_s > 0 && r.best_step_s < most_of_a_step * r.step_s())
    return fmt::format("whole zones dealt out longest first would take {:.0f}% less: another schedule",
                       100 * (1 - r.best_step_s / r.step_s()));
  return "";
}

std::string of_zones(const run_result& r, const unit_result& busiest) {
  const double part = busiest.work > 0 ? r.largest_weight * r.iterations / busiest.work : 0;
  if (!busiest.is_gpu && part > most_of_a_step && idle_cpu_units(r) > 0)
    return "fewer zones than CPU CUs: CUs of several CPUs (--cus NxM)";
  if (!busiest.is_gpu && part > most_of_a_step)
    return "its largest zone is all that it has: CUs of several CPUs (--cus NxM)";
  return "";
}

}  // namespace

const unit_result* busiest_unit(const run_result& r) {
  const auto at = std::ranges::max_element(r.units, {}, &unit_result::busy_s);
  return at == r.units.end() || at->busy_s() <= 0 ? nullptr : &*at;
}

std::string bound_text(const run_result& r) {
  const unit_result* const busiest = busiest_unit(r);
  if (busiest == nullptr) return "nothing that was timed";
  return fmt::format("CU {} ({}), busy {:.1f}% of the time", busiest->id,
                     busiest->is_gpu ? busiest->device : "CPUs " + busiest->place,
                     100 * busiest->busy_s() / r.seconds);
}

std::string what_would_help(const run_result& r) {
  const unit_result* const busiest = busiest_unit(r);
  if (busiest == nullptr) return "nothing that can be seen";
  for (const std::string& found : {of_busiest(r, *busiest), of_zones(r, *busiest), of_balance(r)})
    if (!found.empty()) return found;
  return "nothing that can be seen: the work is dealt out well, so more or faster units";
}

std::string units_without_zones(const run_result& r) {
  std::string text;
  for (std::size_t first = 0; first < r.units.size(); ++first) {
    if (r.units[first].tasks > 0) continue;
    std::size_t last = first;
    while (last + 1 < r.units.size() && r.units[last + 1].tasks == 0) ++last;
    text += fmt::format("{}{}", text.empty() ? "CU " : ", ", r.units[first].id);
    if (last > first) text += fmt::format(" to {}", r.units[last].id);
    first = last;
  }
  return text;
}

}  // namespace npb
