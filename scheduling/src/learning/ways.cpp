#include "ways.hpp"

#include "../maps/cuts.hpp"
#include "../maps/first_pool.hpp"
#include "../maps/gpu_regions.hpp"
#include "../maps/memory_limits.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// The spread of CPU CUs before anything is measured.
constexpr double usual_spread = 0.1;

}  // namespace

alternative make_alternative(assignment shares, std::span<const unit> units, cpu_tasks cpus) {
  const int on_cpus = tasks_on(unit_kind::cpu, shares, units);
  const int on_gpus = tasks_on(unit_kind::gpu, shares, units);
  const auto gpus_in_use = std::ranges::count_if(units_of(unit_kind::gpu, units),
                                                 [&](std::size_t gpu) { return !shares[gpu].empty(); });
  const auto all_gpus = std::ranges::count(units, unit_kind::gpu, &unit::kind);
  use how = use::both_kinds;
  if (on_gpus == 0 && (on_cpus > 0 || all_gpus == 0))
    how = use::cpus;
  else if (on_cpus == 0)
    how = gpus_in_use == 1 && all_gpus > 1 ? use::one_gpu : use::gpus;
  return {how, std::move(shares), cpus};
}

bool are_of_one_kind(const alternative& a, const alternative& b) {
  return a.how == b.how && (a.how != use::cpus || a.cpus == b.cpus);
}

int gpus_in_use(const alternative& what, std::span<const unit> units) {
  return static_cast<int>(std::ranges::count_if(units_of(unit_kind::gpu, units),
                                                [&](std::size_t gpu) { return !what.shares[gpu].empty(); }));
}

assignment on_one(std::size_t gpu, int n_tasks, std::size_t n_units) {
  assignment shares(n_units);
  shares[gpu] = all_tasks(n_tasks);
  return shares;
}

std::string text_of(const alternative& what, std::span<const unit> units) {
  const auto one = std::ranges::find_if(what.shares, [](const auto& share) { return !share.empty(); });
  const int on_cpus = tasks_on(unit_kind::cpu, what.shares, units);
  switch (what.how) {
    case use::gpus:
      return "GPUs alone";
    case use::one_gpu:
      return fmt::format("one GPU (CU {})", one - what.shares.begin());
    case use::cpus:
      return what.cpus == cpu_tasks::shared ? "CPUs alone" : "CPUs alone, tasks of their own";
    case use::both_kinds:
      break;
  }
  return fmt::format(
      "GPUs and CPUs, {} of {} tasks {}", on_cpus, on_cpus + tasks_on(unit_kind::gpu, what.shares, units),
      what.cpus == cpu_tasks::shared ? "for whichever CPU CU asks" : "on CPU CUs of their own");
}

bool has_choice(const workload& work, std::span<const unit> units) {
  if (work.n_tasks == 0 || units.size() < 2) return false;
  return !units_of(unit_kind::gpu, units).empty() || are_few_for_cpus(work, units);
}

alternative before_any_measurement(const workload& work, std::span<const unit> units,
                                   std::string_view schedule_name) {
  const std::vector<speed> alike(units.size(), speed{.launch = 0, .per_weight = 1});
  const forecast model{work, units, {.usual = alike, .cpu_spread = usual_spread}};
  const bool cpus_alone = work.n_tasks > 0 && units_of(unit_kind::gpu, units).empty();
  std::optional<shared_map> first = cpus_alone ? best_shared(work, units, model) : std::nullopt;
  if (!first) first = shared_map{cut_at(first_pool(work, units), work, units, model)};
  if (is_little_for_gpus(work, units)) leave_to_one_gpu(first->shares, units);
  assignment shares = fit_into_memory(std::move(first->shares), work, units, schedule_name);
  return make_alternative(std::move(shares), units, first->cpus);
}

std::vector<alternative> ways_of_using(const workload& work, std::span<const unit> units,
                                       const forecast& model, bool hears_of_cpus) {
  std::vector<alternative> found;
  const auto add = [&](std::optional<assignment> shares, cpu_tasks of_cpus = cpu_tasks::shared) {
    if (shares) found.push_back(make_alternative(*std::move(shares), units, of_cpus));
  };
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  const bool has_cpus = gpus.size() < units.size();
  if (!gpus.empty()) add(try_fit(cut_at(0, work, units, model, gpu_cut::consecutive), work, units));
  if (gpus.size() > 1) {
    const auto time_of_all = [&](std::size_t gpu) { return model.speeds()[gpu].per_weight; };
    const std::size_t quickest = *std::ranges::min_element(gpus, {}, time_of_all);
    add(try_fit(on_one(quickest, work.n_tasks, units.size()), work, units));
  }
  if (!has_cpus) return found;
  add(try_fit(cut_at(work.n_tasks, work, units, model), work, units));
  if (are_few_for_cpus(work, units)) add(own_tasks_of_cpus(work, units, model), cpu_tasks::own);
  if (gpus.empty()) return found;
  if (hears_of_cpus) {
    const auto n_cpus = static_cast<int>(units.size() - gpus.size());
    add(try_fit(cut_at(std::min(n_cpus, work.n_tasks / 2), work, units, model, gpu_cut::consecutive), work,
                units));
    return found;
  }
  if (std::optional<shared_map> both = best_shared(work, units, model, map_family::any, gpu_cut::consecutive))
    add(std::move(both->shares), both->cpus);
  return found;
}

alternative in_regions(alternative one, const workload& work, std::span<const unit> units,
                       const forecast& model) {
  std::optional<assignment> cut =
      try_fit(with_gpu_regions(one.shares, work, units, model.speeds()), work, units);
  if (cut) one.shares = *std::move(cut);
  return one;
}

}  // namespace yoke::scheduling
