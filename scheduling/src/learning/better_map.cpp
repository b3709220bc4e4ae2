#include "better_map.hpp"

#include "unheard_cpus.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace yoke::scheduling {

namespace {

/// How much better GPUs alone must be foreseen than the best map with both kinds of units before passes with
/// these were timed: if they are not, they are left then, and going to and fro costs as much.
constexpr double favour_of_both = 0.03;
/// So many maps are tried that were not measured; then only those that were.
constexpr int most_trials = 3;
/// Passes of both kinds that take so many times what GPUs alone need at best, where something delays their
/// batches, or by the clock what is expected of these passes, are the CPU CUs' doing: the host threads of
/// GPUs lose their CPUs too, where others use these.
constexpr double held_up = 1.6, unexpected = 1.12;
/// What GPUs alone must then promise to save.
constexpr double least_saved = 0.1;
/// Of a pass that became longer, GPUs work no more than this part where CPU CUs are why.
constexpr double waiting = 0.9;
/// One GPU takes no less than this part of what is predicted, which counts twice what batches on two take
/// whatever their work: 0.76 in SP-MZ class B on two H200s.
constexpr double least_of_predicted = 0.6;
/// A change upon cold passes begins with as many, in which the present map would have been timed. Where
/// others use the CPUs, and a slice of their time is longer than a pass, that is worth more than some percent
/// of the passes to come: BT-MZ class C beside two H200s found out on the clock that CPU CUs do not pay.
constexpr seconds slice_of_time = 3e-3;
constexpr double passes_untold = 10, most_untold = 1.0 / 3;

/// GPUs alone for which more is predicted, of a pass with CPU CUs, are not tried: they may be slow ones.
constexpr double most_of_untimed = 1.5;
/// In errors of the passes.
constexpr double far_ahead = 3;
/// CPU CUs alone that went back to their pool keep to it for so many times as many passes as there were, or
/// as these.
constexpr pass_id times_in_pool = 8, least_in_pool = 256;

bool has_own_of_cpus(const alternative& one) { return one.how == use::cpus && one.cpus == cpu_tasks::own; }

double untold(seconds pass, const horizon& to_come) {
  if (pass >= slice_of_time) return 0;
  return std::min(passes_untold / static_cast<double>(std::max<pass_id>(to_come.passes, 1)), most_untold);
}

}  // namespace

better_map::better_map(const workload& work, std::span<const unit> units)
    : work_{work}, units_{units}, orders_{std::make_shared<const task_orders>(work)}, search_{work, units} {}

void better_map::recall(alternatives earlier) {
  known_ = std::move(earlier);
  trials_ = std::min(static_cast<int>(known_.all().size()), most_trials);
}

alternatives better_map::known_with(const alternative& present, std::optional<pass_time> now) const {
  alternatives all = known_;
  const std::optional<pass_time> earlier = known_.measured(present);
  if (now && (!earlier || now->error < earlier->error)) all.note(present, *now);
  return all;
}

void better_map::note(const alternative& present, pass_time now) {
  const std::optional<pass_time> earlier = known_.measured(present);
  unsteady_ = earlier ? std::abs(now.usual / earlier->usual - 1) : 0;
  known_.note(present, now);
}

void better_map::forget() {
  known_.forget();
  trials_ = 0;
}

void better_map::chosen(const alternative& present, const found& better, pass_id pass) {
  if (!are_of_one_kind(better.what, present) && !known_.measured(better.what)) ++trials_;
  const bool is_return = better.what.how == use::cpus && known_.measured(better.what);
  if (has_own_of_cpus(present) && is_return && !has_own_of_cpus(better.what))
    keeps_pool_until_ = pass + times_in_pool * std::max(pass, least_in_pool);
}

std::optional<better_map::found> better_map::than(const alternative& present, const look& at) {
  const bool may_try = trials_ < most_trials || known_.all().empty();
  std::vector<alternative> ways = search_.ways(present, at.model, at.now, at.passes, known_, may_try);
  if (at.pass < keeps_pool_until_) std::erase_if(ways, has_own_of_cpus);
  is_far_ahead_ = leads(present, ways, at);
  const std::optional<alternatives::comparison> others = without_late_cpus(ways, present, at);
  alternatives::comparison best = others ? *others : best_of(ways, present, at);
  bool promises = others || is_promising(best, present, at);
  if (promises && !known_.measured(best.what)) {
    best.what = in_regions(std::move(best.what), work_, units_, at.model);
    best.part = known_.part(best.what, present, at.model);
    promises = others || is_promising(best, present, at);
  }
  expected_ = known_.expected(best.what, at.model);
  if (std::optional<alternative> other = worth_a_try(present, ways, at)) {
    const seconds moving = price(present, *other, expected_, at).moving;
    return found{*std::move(other), {}, moving};
  }
  if (!promises) return std::nullopt;
  const seconds moving = price(present, best.what, expected_, at).moving;
  return found{std::move(best.what), best.part, moving};
}

bool better_map::leads(const alternative& present, std::span<const alternative> ways, const look& at) const {
  const bool matters = at.now && known_.are_by_clock() && at.now->all.error >= unsure;
  if (!matters || present.how == use::both_kinds) return false;
  const double less = 1 + far_ahead * at.now->all.error;
  const auto is_rival = [&](const alternative& one) { return !are_of_one_kind(one, present); };
  const auto is_near = [&](const alternative& one) {
    const double least = one.how == use::one_gpu ? least_of_predicted : 1;
    return is_rival(one) && least * known_.part(one, present, at.model) < less;
  };
  return std::ranges::any_of(ways, is_rival) && std::ranges::none_of(ways, is_near);
}

/// GPUs alone, where passes with both kinds have become longer and GPUs wait in them: whatever made CPU CUs
/// late may stay, and nothing is lost but what they gained.
std::optional<alternatives::comparison> better_map::without_late_cpus(std::span<const alternative> ways,
                                                                      const alternative& present,
                                                                      const look& at) const {
  if (!at.is_late || !at.now || present.how != use::both_kinds || at.now->gpus > waiting * at.now->all.usual)
    return std::nullopt;
  alternatives with = known_;
  with.note(present, at.now->all);
  for (const alternative& one : ways)
    if (const double part = with.part(one, present, at.model); one.how == use::gpus && part < waiting)
      return alternatives::comparison{one, part};
  return std::nullopt;
}

alternatives::comparison better_map::best_of(std::span<const alternative> ways, const alternative& present,
                                             const look& at) const {
  const bool is_disturbed = at.model.told().late.chance_of_batch > 0;
  const double favour = at.is_first && present.how == use::both_kinds && !is_disturbed ? favour_of_both : 0;
  return known_.best(ways, present, at.model, [&](const alternative& one) {
    return (one.how == present.how ? 0 : favour) + (known_.measured(one) ? 0 : doubt(one, present, at.model));
  });
}

bool better_map::is_promising(const alternatives::comparison& best, const alternative& present,
                              const look& at) const {
  const bool is_other = !are_of_one_kind(best.what, present);
  const bool is_known = known_.is_foreseen(best.what, present, at.model) || known_.measured(best.what);
  const seconds pass = at.now ? at.now->all.usual : at.model.of(present.shares, present.cpus);
  return is_worth_a_change({.part = best.part,
                            .is_measured = at.now.has_value(),
                            .is_settled = at.now.has_value() && at.is_settled,
                            .is_trial = is_other && !is_known,
                            .is_early = at.is_early,
                            .is_first = at.is_first,
                            .doubt = doubt(best.what, present, at.model),
                            .price = price(present, best.what, pass, at).part(),
                            .untold = untold(pass, at.to_pay),
                            .unsteady = unsteady_});
}

double better_map::doubt(const alternative& other, const alternative& present, const forecast& model) const {
  return known_.is_foreseen(other, present, model) ? 0 : doubt_of(present, other, model, work_, units_);
}

change_price better_map::price(const alternative& from, const alternative& to, seconds pass,
                               const look& at) const {
  return price_of(from.shares, to.shares, work_, units_, pass, at.to_pay, at.cold);
}

bool better_map::are_gpus_held_up(const alternative& present, const look& at) const {
  if (present.how != use::both_kinds || !(at.gpus.pass > 0)) return false;
  const pass_time& now = at.now->all;
  return (at.gpus.are_delayed && now.usual > held_up * at.gpus.pass) ||
         (known_.are_by_clock() &&
          now.usual * (1 - now.error) > unexpected * at.model.of(present.shares, present.cpus));
}

/// GPUs alone are tried beside CPU CUs before time counts where passes are short: what CPU CUs cost a GPU
/// does not show in its batches, and is a third of such a pass (BT-MZ class A beside an H200: 0.38 ms with
/// them, 0.28 alone, of which 0.44 were predicted).
bool better_map::must_be_timed(const alternative& gpus, const alternative& present, const look& at) const {
  const seconds now = at.now->all.usual;
  const bool is_asked =
      present.how == use::both_kinds && at.to_pay.is_free && !at.is_recalled && is_short(now);
  return is_asked && at.model.of(gpus.shares, gpus.cpus) <= most_of_untimed * now &&
         std::ranges::none_of(known_.all(), [](const auto& one) { return one.what.how == use::gpus; });
}

std::optional<alternative> better_map::worth_a_try(const alternative& present,
                                                   std::span<const alternative> ways, const look& at) const {
  if (!at.now || trials_ == most_trials) return std::nullopt;
  const bool is_unsure = known_.are_by_clock() && at.now->all.error >= unsure;
  if (!is_unsure)
    if (std::optional<alternative> one = unpredicted(present, at)) return one;
  if (std::optional<alternative> gpus = gpus_to_be_timed(present, ways, at, is_unsure)) return gpus;
  const seconds now = at.now->all.usual;
  std::optional<hearing> cpus = to_hear_cpus(present, now, at.model, work_, units_);
  if (!cpus || !is_affordable(cpus->costs, now, at.to_pay)) return std::nullopt;
  return std::move(cpus->what);
}

std::optional<alternative> better_map::unpredicted(const alternative& present, const look& at) const {
  const seconds now = at.now->all.usual;
  const auto may_be_better = [&](const alternative& one) {
    return one.how != use::one_gpu || least_of_predicted * known_.expected(one, at.model) < now;
  };
  const auto is_hopeless = [&](const alternative& one) {
    const seconds longer = std::max(at.model.of(one.shares, one.cpus) - now, 0.0);
    return !at.model.told().are_cpus_promised && !is_affordable(shortest_period * longer, now, at.to_pay);
  };
  for (alternative& one : search_.unpredicted(present, at.now->all))
    if (!known_.measured(one) && !is_hopeless(one) &&
        is_worth_a_trial(price(present, one, now, at), may_be_better(one)))
      return std::move(one);
  return std::nullopt;
}

std::optional<alternative> better_map::gpus_to_be_timed(const alternative& present,
                                                        std::span<const alternative> ways, const look& at,
                                                        bool is_unsure) const {
  const seconds now = at.now->all.usual;
  const bool are_held_up = are_gpus_held_up(present, at);
  for (const alternative& one : ways) {
    if (one.how != use::gpus || known_.measured(one)) continue;
    const double least = std::max(least_saved, 2 * price(present, one, now, at).part());
    const bool is_promised = are_held_up && at.gpus.pass < (1 - least) * now;
    if (is_promised || (!is_unsure && must_be_timed(one, present, at)))
      return in_regions(one, work_, units_, at.model);
  }
  return std::nullopt;
}

}  // namespace yoke::scheduling
