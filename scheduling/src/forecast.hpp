#pragma once
/// How long a pass takes under the maps that `auto` chooses from, by the speeds of the units.

#include "assignment.hpp"

#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// Of every unit: what it usually needs, and what it needs in nine batches of ten.
struct unit_speeds {
  std::vector<speed> usual;
  std::vector<speed> careful;
};

/// The maps are cuts: the first tasks for the pool of the CPU CUs, the others for the GPU CUs.
class forecast {
 public:
  forecast(const workload& work, std::span<const unit> units, unit_speeds speeds);

  /// The pass with `n` tasks in the pool. CPU CUs among themselves: whoever is free takes the next, the
  /// longest first. Beside GPUs they are asked for no more than four fifths of what they can do.
  seconds of_cut(int n) const;
  /// All tasks on one GPU CU.
  seconds of_one_gpu(std::size_t gpu) const;
  /// The cut with the shortest pass among those that use both kinds; nullopt where there is none.
  std::optional<int> best_cut() const;

 private:
  seconds of_gpus(int n) const;
  seconds of_pool(int n) const;

  const workload& work_;
  std::span<const unit> units_;
  unit_speeds speeds_;
  std::vector<std::size_t> cpus_, gpus_;
  std::vector<double> before_;  ///< weight of the first n tasks
};

/// The cut as shares: what the GPU CUs have is consecutive for each, by their speeds.
assignment cut_at(int n, const workload& work, std::span<const unit> units, std::span<const speed> speeds);

}  // namespace yoke::scheduling
