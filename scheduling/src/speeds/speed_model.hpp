#pragma once
/// The speeds of the units of one kind from what each of them was seen to need.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// (weight, seconds) of batches of one unit.
using unit_samples = std::vector<std::pair<double, seconds>>;

/// Units of a kind differ by a factor, if at all, and pay alike for a launch beside the work.
struct kind_model {
  std::vector<speed> units;
  double spread = 0;        ///< relative deviation of a batch's time
  double error = 0;         ///< relative standard error of the least certain unit's speed
  double error_of_all = 0;  ///< and of all of them together
};

/// Of a unit's batches, so many may be far later than the usual one: half where they vary; nearly all of a
/// GPU's, that hardly vary, but whose host thread others may delay.
inline constexpr double usual_of_cpus = 0.5, usual_of_gpus = 0.25;

/// What a launch is thought to take before batches of unlike weight tell, as the work of so much weight.
struct launch_guess {
  double weight = 0;
  double deviation = 0;  ///< > 0
  double most() const { return weight + deviation; }
};

/// For tasks of this weight. A launch on a GPU: two to three tasks of SP-MZ class D on an H200, and more of
/// smaller ones.
launch_guess usual_launch(unit_kind kind, double task);

/// Least squares of relative errors. Batches further than a factor of 2.5 from the line are outliers and do
/// not count. The guess counts as far as noise hides the launch, and units are alike as far as noise explains
/// how they differ; those without samples are like the others. nullopt without any.
/// `usual_at`: the quantile of a unit's batches beside which others are late.
std::optional<kind_model> fit_kind(std::span<const unit_samples> units, launch_guess guess,
                                   double usual_at = usual_of_cpus);

}  // namespace yoke::scheduling
