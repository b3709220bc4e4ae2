#include "late_cpus.hpp"

#include "../kinds.hpp"

#include <algorithm>

namespace yoke::scheduling {

namespace {

/// CPU CUs that need so much of the time of GPUs may bind the pass.
constexpr double may_bind = 0.9;
/// A pass that is so much longer than predicted is worth a new model. No more than the most is believed:
/// outliers make passes long too.
constexpr double least = 1.02, most = 1.1;
/// Where batches vary more, some CU is late in every pass, and loses nothing.
constexpr double most_spread = 0.2;

}  // namespace

std::optional<unit_speeds> late_cpus::slowed(std::optional<unit_speeds> told,
                                             std::span<const unit> units) const {
  if (!told) return told;
  for (const std::size_t cpu : units_of(unit_kind::cpu, units)) {
    told->usual[cpu].launch *= times_;
    told->usual[cpu].per_weight *= times_;
  }
  return told;
}

bool late_cpus::learn(const alternative& present, const measured_pass& now, const forecast& model) {
  if (times_ >= most || least * now.gpus > now.all.usual || model.told().cpu_spread > most_spread)
    return false;
  const double part = model.cpus_of_gpus(present.shares, present.cpus);
  if (part < may_bind) return false;
  const double longer =
      now.all.usual * (1 - now.all.error) / std::max(now.cpus, model.insured(present.shares, present.cpus));
  if (longer < least) return false;
  times_ = std::min(times_ * longer * std::max(1.0, 1 / part), most);
  return true;
}

}  // namespace yoke::scheduling
