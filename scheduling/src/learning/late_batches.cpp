#include "late_batches.hpp"

#include "../speeds/median.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace yoke::scheduling {

namespace {

constexpr std::size_t most_batches = 64;
/// Of what a batch usually takes, as for outliers of speeds.
constexpr double late_from = 2.5;
/// Fewer passes tell nothing.
constexpr double least_passes = 3;
/// Of all batches, so many are late on any machine.
constexpr double usual_chance = 0.02;

}  // namespace

void passes_of_unit::add(batch of) {
  if (kept_.size() < most_batches) {
    kept_.push_back(of);
    return;
  }
  kept_[oldest_] = of;
  oldest_ = (oldest_ + 1) % most_batches;
}

lateness lateness_of(std::span<const std::vector<passes_of_unit::batch>> units,
                     std::span<const speed> speeds) {
  std::map<pass_id, seconds> latest;  // excess in each pass that had late batches
  double batches = 0;
  for (std::size_t u = 0; u < units.size(); ++u)
    for (const auto& [pass, weight, time] : units[u]) {
      const seconds usual = speeds[u].launch + speeds[u].per_weight * weight;
      if (time > late_from * usual) latest[pass] = std::max(latest[pass], time - usual);
      ++batches;
    }
  if (latest.size() < 2) return {};
  std::set<pass_id> all;
  for (const auto& unit : units)
    for (const passes_of_unit::batch& one : unit) all.insert(one.pass);
  const auto passes = static_cast<double>(all.size());
  if (passes < least_passes) return {};
  std::vector<double> excess;
  for (const auto& [pass, by] : latest) excess.push_back(by);
  const double chance = (static_cast<double>(excess.size()) - 1) / passes;
  const double of_batch = 1 - std::pow(1 - chance, passes / batches);
  return {.chance_of_batch = std::max(0.0, of_batch - usual_chance), .by = detail::median(excess)};
}

}  // namespace yoke::scheduling
