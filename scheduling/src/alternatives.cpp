#include "alternatives.hpp"

#include "median.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// Relative error of a prediction for units that were not yet seen to work together.
constexpr double model_error = 0.15;
/// Relative deviation of a pass's time where too few were timed to tell.
constexpr double assumed_spread = 0.1;
constexpr std::size_t enough_times = 4;

}  // namespace

use use_of_cut(int cut, const workload& work, std::span<const unit> units) {
  if (units_of(unit_kind::gpu, units).empty() || (cut == work.n_tasks && cut > 0)) return use::cpus;
  return cut == 0 ? use::gpus : use::both_kinds;
}

assignment shares_of(const alternative& what, const workload& work, std::span<const unit> units,
                     std::span<const speed> speeds) {
  if (what.how != use::one_gpu) return cut_at(what.cut, work, units, speeds);
  assignment shares(units.size());
  shares[what.gpu] = all_tasks(work.n_tasks);
  return shares;
}

std::string text_of(const alternative& what, const workload& work) {
  switch (what.how) {
    case use::gpus:
      return "GPUs alone";
    case use::one_gpu:
      return fmt::format("one GPU (CU {})", what.gpu);
    case use::cpus:
      return "CPUs alone";
    case use::both_kinds:
      break;
  }
  return fmt::format("GPUs and CPUs, {} of {} tasks for whichever CPU CU asks", what.cut, work.n_tasks);
}

void pass_times::add(seconds time, pass_id passes) {
  each_.emplace_back(time / static_cast<seconds>(passes), passes);
}

std::optional<pass_time> pass_times::get() const {
  if (each_.empty()) return std::nullopt;
  std::vector<double> times, distances;
  double passes = 0;
  for (const auto& [time, n] : each_) {
    times.push_back(time);
    passes += static_cast<double>(n);
  }
  const double usual = detail::median(times);
  for (const auto& [time, n] : each_)
    distances.push_back(std::abs(time - usual) * std::sqrt(static_cast<double>(n)));
  // The median's standard error is 1.25 times the mean's; a normal deviation is 1.48 times the median one.
  const double seen = 1.25 * 1.48 * detail::median(distances) / usual;
  const double spread = each_.size() < enough_times ? std::max(seen, assumed_spread) : seen;
  return pass_time{usual, spread / std::sqrt(passes)};
}

void alternatives::note(const alternative& what, pass_time time) {
  std::erase_if(seen_, [&](const seen& one) { return one.what == what; });
  seen_.push_back({what, time});
}

void alternatives::recall(const alternative& what, pass_time time) {
  note(what, time);
  seen_.back().is_recalled = true;
}

std::optional<pass_time> alternatives::measured(const alternative& what) const {
  const auto at = std::ranges::find(seen_, what, &seen::what);
  return at == seen_.end() ? std::nullopt : std::optional{at->time};
}

seconds alternatives::predicted(const alternative& what, const forecast& model) {
  return what.how == use::one_gpu ? model.of_one_gpu(what.gpu) : model.of_cut(what.cut);
}

/// To be multiplied with predictions of the model.
double alternatives::correction_by(const seen& one, const forecast& model) {
  const double trust =
      model_error * model_error / (model_error * model_error + one.time.error * one.time.error);
  return std::pow(one.time.usual / predicted(one.what, model), trust);
}

seconds alternatives::expected(const alternative& what, const forecast& model) const {
  const seen* closest = nullptr;
  for (const seen& one : seen_)
    if (one.what == what || (one.what.how == what.how && (closest == nullptr || closest->what != what)))
      closest = &one;
  return (closest == nullptr ? 1 : correction_by(*closest, model)) * predicted(what, model);
}

std::vector<alternative> alternatives::candidates(const workload& work, std::span<const unit> units,
                                                  const forecast& model) const {
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  std::vector<alternative> candidates;
  for (const seen& one : seen_) candidates.push_back(one.what);
  if (!gpus.empty()) candidates.push_back({.how = use::gpus});
  if (gpus.size() > 1)
    for (const std::size_t gpu : gpus) candidates.push_back({.how = use::one_gpu, .gpu = gpu});
  if (gpus.size() < units.size()) candidates.push_back({.how = use::cpus, .cut = work.n_tasks});
  if (const std::optional<int> cut = model.best_cut())
    candidates.push_back({.how = use::both_kinds, .cut = *cut});
  return candidates;
}

alternative alternatives::best(const workload& work, std::span<const unit> units,
                               const forecast& model) const {
  const std::vector<alternative> all = candidates(work, units, model);
  return *std::ranges::min_element(all, {}, [&](const alternative& one) { return expected(one, model); });
}

std::string alternatives::text(const alternative& present, const workload& work, std::span<const unit> units,
                               const std::optional<unit_speeds>& speeds) const {
  std::string text;
  const auto name = [&](const alternative& one) { return one == present ? "" : text_of(one, work) + ": "; };
  for (const seen& one : seen_)
    text += fmt::format("; {}{:.4g} s {}", name(one.what), one.time.usual,
                        one.is_recalled ? "in earlier runs" : "measured");
  if (!speeds) return text;
  const forecast model{work, units, *speeds};
  for (const alternative& one : candidates(work, units, model))
    if (one != present && !measured(one))
      text += fmt::format("; {}{:.4g} s predicted", name(one), expected(one, model));
  return text;
}

alternative alternatives::best_seen(const forecast& model) const {
  return std::ranges::min_element(seen_, {}, [&](const seen& one) { return expected(one.what, model); })
      ->what;
}

}  // namespace yoke::scheduling
