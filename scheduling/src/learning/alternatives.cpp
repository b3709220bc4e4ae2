#include "alternatives.hpp"

#include "../maps/cuts.hpp"
#include "../maps/first_pool.hpp"
#include "../maps/gpu_regions.hpp"
#include "../maps/memory_limits.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// Relative error of a prediction for units that were not yet seen to work together.
constexpr double model_error = 0.15;
/// And of a pass in which both kinds work: BT-MZ class A takes 80 to 150 us more than the model says.
constexpr seconds error_of_both = 1e-4;
/// Of maps that use the same kinds of units, beside the error that they have in common.
constexpr double error_between = 0.02;
/// What two maps were timed at is believed against the model where that is wrong by a factor of e^0.4 = 1.5,
/// and not by chance, in errors of both times; and where one of them is that much shorter.
constexpr double wrong = 0.4, by_chance = 3, much_shorter = 0.6;
/// Of one for GPUs alone, beside how much their batches vary.
constexpr double error_of_gpus_alone = 0.01, steady_gpus = 0.08, steady_passes = 0.15;
/// The spread of CPU CUs before anything is measured.
constexpr double usual_spread = 0.1;

/// It is not shorter by chance or because stretches of a few passes look long.
seconds least_of(pass_time time) { return time.usual * (1 - time.error); }

/// Batches that something else delays are made up for by others where many passes are timed together.
seconds most_of_foreseen(const alternative& what, const forecast& model, bool by_clock) {
  const unit_speeds& told = model.told();
  const double varies = by_clock ? std::min(told.gpu_spread, 2 * told.gpu_error) : told.gpu_spread;
  return model.of(what.shares, what.cpus) * (1 + error_of_gpus_alone + varies);
}

/// What a pass takes by batches that were timed in passes of `here`.
seconds seen_from(const alternative& here, const alternative& what, const forecast& model) {
  const seconds pass = model.of(what.shares, what.cpus);
  if (what.how == use::both_kinds && here.how == use::gpus) return pass + least_with_cpus;
  if (what.how != use::gpus || here.how != use::both_kinds) return pass;
  return std::max(pass - least_with_cpus, pass / 2);
}

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

/// How far it is taken for what it was measured as, and not for what the model says.
double alternatives::trust_in(const seen& one) {
  const double of_both = one.what.how == use::both_kinds ? error_of_both / one.time.usual : 0;
  const double error = std::hypot(model_error, of_both);
  return error * error / (error * error + one.time.error * one.time.error);
}

/// Of a pass like `one`, where the model says `predicted`. What both kinds of units lose by each other does
/// not grow with their work.
seconds alternatives::corrected(seconds predicted, const seen& one, const forecast& model) {
  const double ratio = ratio_of(one, model);
  if (one.what.how != use::both_kinds || ratio < 1) return predicted * std::pow(ratio, trust_in(one));
  return predicted + trust_in(one) * (1 - 1 / ratio) * one.time.usual;
}

double alternatives::ratio_of(const seen& one, const forecast& model) {
  return one.time.usual / model.of(one.what.shares, one.what.cpus);
}

const alternatives::seen* alternatives::closest(const alternative& what) const {
  const seen* found = nullptr;
  for (const seen& one : seen_)
    if (one.what == what || (are_of_one_kind(one.what, what) && (found == nullptr || found->what != what)))
      found = &one;
  return found;
}

bool alternatives::is_foreseen(const alternative& what, const alternative& here,
                               const forecast& model) const {
  if (what.how != use::gpus || here.how != use::both_kinds || closest(what) != nullptr) return false;
  const std::optional<pass_time> beside = measured(here);
  return beside && beside->error < steady_passes && (by_clock_ || model.told().gpu_spread < steady_gpus);
}

seconds alternatives::expected(const alternative& what, const forecast& model) const {
  const seen* near = closest(what);
  const seconds predicted = model.of(what.shares, what.cpus);
  return near == nullptr ? predicted : corrected(predicted, *near, model);
}

/// Both kinds of units where GPUs alone were timed: what CPU CUs would save them.
double alternatives::part_beside_measured(const alternative& what, const alternative& here,
                                          const forecast& model) const {
  const auto gpus = std::ranges::find(seen_, use::gpus, [](const seen& one) { return one.what.how; });
  if (what.how != use::both_kinds || here.how == use::gpus || gpus == seen_.end()) return 0;
  return part(gpus->what, here, model) * model.of(what.shares, what.cpus) /
         model.of(gpus->what.shares, gpus->what.cpus);
}

/// Where GPUs' host threads want for CPUs, batches with one map say nothing of another: BT-MZ class A beside
/// an emulated GPU on two CPUs kept to maps of 0.12 and 0.3 s a pass when 0.027 had been measured.
bool alternatives::is_model_refuted(const seen& shorter, const seen& here, const forecast& model) const {
  if (here.what.how == use::cpus) return false;  // a pool makes up for that
  const double apart = std::abs(std::log(ratio_of(shorter, model) / ratio_of(here, model)));
  return apart > std::max(wrong, by_chance * std::hypot(shorter.time.error, here.time.error)) &&
         expected(shorter.what, model) < much_shorter * expected(here.what, model);
}

double alternatives::part(const alternative& what, const alternative& here, const forecast& model) const {
  const seconds pass = seen_from(here, what, model), of_here = model.of(here.shares, here.cpus);
  const double predicted = pass / of_here;
  const seen *a = closest(what), *b = closest(here);
  if (is_foreseen(what, here, model))
    return std::min(pass / std::min(of_here, b->time.usual),
                    most_of_foreseen(what, model, by_clock_) / least_of(b->time));
  if (a == nullptr && b != nullptr) return std::max(predicted, part_beside_measured(what, here, model));
  if (a == nullptr || b == nullptr || a == b) return predicted;
  if (!are_of_one_kind(a->what, b->what)) return expected(what, model) / expected(here, model);
  if (a->what == what && b->what == here && is_model_refuted(*a, *b, model))
    return a->time.usual / b->time.usual;
  const double square = 2 * error_between * error_between;
  const double trust = square / (square + a->time.error * a->time.error + b->time.error * b->time.error);
  return predicted * std::pow(ratio_of(*a, model) / ratio_of(*b, model), trust);
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
                                       const forecast& model, seconds bar) {
  std::vector<alternative> found;
  const auto add = [&](std::optional<assignment> shares) {
    if (shares) found.push_back(make_alternative(*std::move(shares), units));
  };
  const std::vector<std::size_t> gpus = units_of(unit_kind::gpu, units);
  if (!gpus.empty()) add(try_fit(cut_at(0, work, units, model, gpu_cut::consecutive), work, units));
  if (gpus.size() > 1)
    for (const std::size_t gpu : gpus) add(try_fit(on_one(gpu, work.n_tasks, units.size()), work, units));
  if (gpus.size() == units.size()) return found;
  if (std::optional<shared_map> cpus = best_of_cpus(work, units, model))
    found.push_back(make_alternative(std::move(cpus->shares), units, cpus->cpus));
  if (gpus.empty()) return found;
  for (const alternative& one : found) bar = std::min(bar, model.of(one.shares, one.cpus));
  if (!found.empty() && model.least_of_both() >= bar) return found;
  if (std::optional<shared_map> both = best_shared(work, units, model, map_family::any, gpu_cut::consecutive))
    found.push_back(make_alternative(std::move(both->shares), units, both->cpus));
  return found;
}

alternative in_regions(alternative one, const workload& work, std::span<const unit> units,
                       const forecast& model) {
  std::optional<assignment> cut =
      try_fit(with_gpu_regions(one.shares, work, units, model.speeds()), work, units);
  if (cut) one.shares = *std::move(cut);
  return one;
}

alternatives::comparison alternatives::best(std::span<const alternative> ways, const alternative& here,
                                            const forecast& model, const handicap& less) const {
  comparison best{here, 1};
  double least = 1;
  for (const alternative& one : ways) {
    const double part = this->part(one, here, model);
    const double counted = part * (1 + less(one));
    if (counted >= least) continue;
    least = counted;
    best = {one, part};
  }
  return best;
}

std::vector<alternative> alternatives::tried() const {
  std::vector<alternative> maps;
  for (const seen& one : seen_) maps.push_back(one.what);
  return maps;
}

std::string alternatives::text(const alternative& present, const workload& work, std::span<const unit> units,
                               const std::optional<unit_speeds>& speeds) const {
  std::string text;
  const auto add = [&](const alternative& one, seconds pass, const char* how) {
    text +=
        fmt::format("; {}: {:.4g} s a pass {}", one == present ? "this map" : text_of(one, units), pass, how);
  };
  for (const seen& one : seen_)
    add(one.what, one.time.usual, one.is_recalled ? "in earlier runs" : "measured");
  if (!speeds) return text;
  const forecast model{work, units, *speeds};
  if (!measured(present)) add(present, expected(present, model), "predicted");
  for (alternative& way : ways_of_using(work, units, model))
    if (const alternative one = in_regions(std::move(way), work, units, model);
        one != present && !measured(one))
      add(one, expected(one, model), "predicted");
  return text;
}

}  // namespace yoke::scheduling
