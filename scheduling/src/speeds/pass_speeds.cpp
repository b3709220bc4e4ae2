#include "pass_speeds.hpp"

#include "median.hpp"
#include "speeds.hpp"

namespace yoke::scheduling {

void pass_speeds::add(unit_id unit, double weight, seconds time) {
  if (!(time > 0)) return;
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  of.weight += weight;
  of.busy += time;
}

void pass_speeds::finished(unit_id unit, bool is_warm) {
  told& of = told_[index(unit)];
  const std::lock_guard guard{of.lock};
  if (is_warm && of.weight > 0) of.passes.push_back(of.busy / of.weight);
  of.weight = of.busy = 0;
}

std::optional<double> pass_speeds::usual(const told& of) {
  if (of.passes.empty()) return of.last;
  std::vector<double> passes = of.passes;
  return detail::median(passes);
}

std::optional<std::vector<speed>> pass_speeds::get() const {
  std::vector<std::optional<speed>> found;
  for (const told& of : told_) {
    const std::lock_guard guard{of.lock};
    const std::optional<double> own = usual(of);
    found.push_back(own ? std::optional{speed{.launch = 0, .per_weight = *own}} : std::nullopt);
  }
  return known_or_promised_speeds(units_, found);
}

void pass_speeds::begin() {
  for (told& of : told_) {
    const std::lock_guard guard{of.lock};
    of.last = usual(of);
    of.passes.clear();
  }
}

}  // namespace yoke::scheduling
