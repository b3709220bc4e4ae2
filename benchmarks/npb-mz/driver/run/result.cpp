#include "result.hpp"

#include <algorithm>
#include <functional>

namespace npb {

std::optional<double> run_result::hybrid_efficiency() const {
  if (!solo || solo->cpu_rate + solo->gpu_rate() <= 0) return std::nullopt;
  return 1 / step_s() / (solo->cpu_rate + solo->gpu_rate());
}

std::optional<double> run_result::cpu_gain() const {
  if (!solo || solo->cpu_rate <= 0 || solo->gpu_rate() <= 0) return std::nullopt;
  return (1 / step_s() - solo->gpu_rate()) / solo->cpu_rate;
}

// Longest first to the unit that would finish it first. With equal weights no map is better: the finishing
// times handed out are the smallest there are.
double longest_first_makespan(std::vector<double> weights, const std::vector<double>& seconds) {
  std::sort(weights.begin(), weights.end(), std::greater<>{});
  std::vector<double> finish(seconds.size(), 0);
  for (const double weight : weights) {
    std::size_t best = seconds.size();
    for (std::size_t u = 0; u < seconds.size(); ++u) {
      if (seconds[u] <= 0) continue;
      if (best == seconds.size() || finish[u] + weight * seconds[u] < finish[best] + weight * seconds[best])
        best = u;
    }
    if (best == seconds.size()) return 0;
    finish[best] += weight * seconds[best];
  }
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

}  // namespace npb
