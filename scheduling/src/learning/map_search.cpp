#include "map_search.hpp"

#include "../maps/cuts.hpp"
#include "../maps/memory_limits.hpp"

#include <limits>
#include <utility>

namespace yoke::scheduling {

namespace {

/// Until then every look searches for maps: a launch that is told apart from the work may change none of what
/// `differ` compares.
constexpr pass_id search_until = 32;
/// A search in terms of tasks and units (256 uneven tasks on 32 units: 2 ms), and so many are made whatever
/// they take. Then a search may take a fiftieth of the time since the last one.
constexpr seconds per_task_and_unit = 2.5e-7, per_equal_task_and_unit = 2.5e-8;
constexpr int first_searches = 2;
constexpr double times_of_search = 50;
/// Passes that are short enough to try CPU CUs alone in.
constexpr seconds tiny_pass = 6e-5;
/// Of a pass, so much is as good as all.
constexpr double binds = 0.97;

seconds time_of_search(const workload& work, std::size_t n_units) {
  const seconds each = has_equal_weights(work) ? per_equal_task_and_unit : per_task_and_unit;
  return each * work.n_tasks * static_cast<double>(n_units);
}

bool gpus_bind(const measured_pass& now) { return now.gpus > binds * now.all.usual && now.gpus > now.cpus; }

}  // namespace

map_search::map_search(const workload& work, std::span<const unit> units)
    : work_{work}, units_{units}, takes_{time_of_search(work, units.size())} {}

bool map_search::is_too_soon(const std::optional<measured_pass>& now, pass_id passes) const {
  if (searches_ < first_searches || !now || passes < searched_at_) return false;
  return static_cast<double>(passes - searched_at_) * now->all.usual < times_of_search * takes_;
}

void map_search::search(const alternative& present, const forecast& model,
                        const std::optional<measured_pass>& now, pass_id passes) {
  if (passes >= search_until && searched_with_ && !differ(*searched_with_, model.told(), work_, units_))
    return;
  if (is_too_soon(now, passes)) return;
  const bool on_gpus = present.how == use::gpus || present.how == use::one_gpu;
  constexpr seconds any = std::numeric_limits<seconds>::infinity();
  ways_ = ways_of_using(work_, units_, model, now && on_gpus ? now->all.usual : any);
  searched_with_ = model.told();
  searched_at_ = passes;
  ++searches_;
}

std::vector<alternative> map_search::ways(const alternative& present, const forecast& model,
                                          const std::optional<measured_pass>& now, pass_id passes,
                                          const alternatives& measured, bool may_try) {
  std::vector<alternative> allowed = measured.tried();
  if (may_try) {
    search(present, model, now, passes);
    const int most = now ? static_cast<int>(units_.size()) : gpus_in_use(present, units_);
    for (const alternative& one : ways_)
      if (gpus_in_use(one, units_) <= most) allowed.push_back(one);
  }
  if (now && present.how == use::both_kinds && gpus_bind(*now)) {
    const seconds gpus = model.of_gpus(present.shares);
    std::erase_if(allowed, [&](const alternative& one) {
      const seconds beside = one.how == use::gpus ? least_with_cpus : 0;
      return !measured.measured(one) && model.of_gpus(one.shares) - beside > gpus;
    });
  }
  return allowed;
}

std::vector<alternative> map_search::unpredicted(const alternative& present, pass_time now) const {
  std::vector<alternative> found;
  if (present.how != use::gpus && present.how != use::one_gpu) return found;
  const auto add = [&](assignment shares) {
    if (std::optional<assignment> fitting = try_fit(std::move(shares), work_, units_))
      found.push_back(make_alternative(*std::move(fitting), units_));
  };
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units_);
  const std::vector<speed> alike(units_.size(), speed{.launch = 0, .per_weight = 1});
  if (now.usual < tiny_pass && gpus.size() < units_.size()) add(cut_at(work_.n_tasks, work_, units_, alike));
  if (is_short(now.usual) && gpus.size() > 1) add(on_one(gpus.front(), work_.n_tasks, units_.size()));
  return found;
}

}  // namespace yoke::scheduling
