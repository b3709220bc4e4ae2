#include "candidates.hpp"

#include "../maps/moving.hpp"
#include "numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace yoke::scheduling {

namespace {

/// Units that take so many times as long as their batches tell have other troubles.
constexpr double most_slowness = 4;

bool uses_cpus(const alternative& one) { return one.how == use::cpus || one.how == use::both_kinds; }

double weight_on_gpus(const alternative& one, const workload& work, std::span<const unit> units) {
  double weight = 0;
  for (const std::size_t g : units_of(unit_kind::gpu, units)) weight += weight_of(work, one.shares[g]);
  return weight;
}

}  // namespace

double candidate::overlap() const {
  return what.how == use::both_kinds ? numbers.overlap_of_both : numbers.overlap;
}

estimate candidate::now() const {
  const std::optional<estimate> by_clock = timed.get();
  if (!by_clock) return predicted;
  return together(*by_clock, {predicted.pass, std::max(predicted.error, std::abs(refuted(0)))});
}

double candidate::refuted(double explained) const {
  const std::optional<estimate> by_clock = timed.get();
  if (!by_clock) return 0;
  const double apart = std::log(by_clock->pass / predicted.pass), sure = 2 * by_clock->error + explained;
  return apart - std::clamp(apart, -sure, sure);
}

void candidates::begin(alternative present) {
  std::erase_if(all_, [&](const candidate& one) { return one.what == present; });
  all_.push_back({.what = std::move(present), .predicted = {1, numbers.guess_error}});
  at_ = all_.size() - 1;
}

void candidates::recall(alternative what, const estimate& pass) {
  candidate& one = take_in(std::move(what));
  one.timed.add(1, pass.pass);
  one.is_recalled = true;
}

void candidates::ran(pass_id passes, seconds time) {
  candidate& one = all_[at_];
  if (std::exchange(one.is_recalled, false)) one.timed = {};
  one.timed.add(passes, time, one.overlap());
}

/// In place of one of its kind that was not timed.
candidate& candidates::take_in(alternative what) {
  for (candidate& one : all_) {
    if (one.what == what) return one;
    if (one.is_timed() || &one == &present() || !are_of_one_kind(one.what, what)) continue;
    one.what = std::move(what);
    return one;
  }
  all_.push_back({.what = std::move(what), .predicted = {1, numbers.guess_error}});
  return all_.back();
}

unit_speeds candidates::slowed(unit_speeds speeds) const {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const double times = units_[u].kind == unit_kind::cpu ? slowness_of_cpus_ : slowness_of_gpus_;
    speeds.usual[u].launch *= times;
    speeds.usual[u].per_weight *= times;
  }
  return speeds;
}

/// What passes of the present map take longer than noise explains is counted to CPU CUs where these work,
/// else to GPUs. While a GPU works, nobody waits for CPU CUs.
void candidates::learn_slowness(const forecast& model, seconds busiest_gpu) {
  const std::optional<estimate> timed = present().timed.get();
  if (!timed) return;
  const alternative& what = present().what;
  const seconds expected = std::max(model.noisy(what.shares, what.cpus), uses_cpus(what) ? busiest_gpu : 0);
  const double late = timed->pass / expected - 1;
  if (std::abs(late) < 2 * timed->error) return;
  // Where passes overlap, the next one makes up for that part.
  const double in_all = 1 + late / (1 - present().overlap());
  double& slowness = uses_cpus(what) ? slowness_of_cpus_ : slowness_of_gpus_;
  slowness = std::clamp(slowness * in_all, 1.0, most_slowness);
}

void candidates::predict(const heard_speeds& heard, seconds busiest_gpu, bool with_new) {
  learn_slowness({work_, units_, slowed(heard.speeds)}, busiest_gpu);
  const forecast model{work_, units_, slowed(heard.speeds)};
  are_cpus_guessed_ = heard.are_cpus_guessed;
  if (with_new)
    for (alternative& way : ways_of_using(work_, units_, model, are_cpus_guessed_))
      take_in(way.how == use::cpus ? std::move(way) : in_regions(std::move(way), work_, units_, model));
  for (candidate& one : all_) {
    const seconds pass = model.noisy(one.what.shares, one.what.cpus);
    if (&one == &present())
      one.predicted_then = pass;
    else if (std::abs(std::log(pass / one.predicted_then)) > std::log(numbers.changed) && !one.is_recalled)
      one.timed = {};  // units have changed since
    one.predicted = {pass, error_of(one, heard, pass)};
  }
  for (candidate& one : all_)
    if (const candidate* const kin = timed_kin(one); kin != nullptr && !one.is_timed())
      one.predicted.pass *= std::exp(kin->refuted(numbers.model_error));
}

/// One that was timed with the same kinds of units, the present one before others.
const candidate* candidates::timed_kin(const candidate& of) const {
  const auto is_kin = [&](const candidate& one) {
    return one.is_timed() && are_of_one_kind(one.what, of.what);
  };
  if (is_kin(present())) return &present();
  const auto at = std::ranges::find_if(all_, is_kin);
  return at == all_.end() ? nullptr : &*at;
}

/// As far as the map is from what was seen: units that were heard do more of the same, or work together with
/// others for the first time.
double candidates::error_of(const candidate& one, const heard_speeds& heard, seconds pass) const {
  const bool with_cpus = uses_cpus(one.what), with_gpus = one.what.how != use::cpus;
  const bool is_guess = (with_cpus && heard.are_cpus_guessed) || (with_gpus && heard.are_gpus_guessed);
  if (is_guess) return error_of_guess(heard) * part_that_is_guessed(one.what, heard);
  double error = std::max(with_cpus ? heard.speeds.cpu_error : 0, with_gpus ? heard.speeds.gpu_error : 0);
  error = std::hypot(error, numbers.near_error);
  if (timed_kin(one) != nullptr) return error;
  const double gpus = weight_on_gpus(one.what, work_, units_),
               now = weight_on_gpus(present().what, work_, units_);
  const double is_new = with_cpus || now == 0 ? 1 : std::abs(gpus - now) / gpus;
  const double one_of_many = one.what.how == use::one_gpu ? 0.5 : 0;
  error = std::hypot(error, numbers.model_error * std::max(is_new, one_of_many));
  const bool are_several = units_.front().space != units_.back().space;
  return are_several ? std::hypot(error, numbers.exchange / pass) : error;
}

/// As much of a GPU's task as may be launch says nothing of the work that a CPU would have.
double candidates::error_of_guess(const heard_speeds& heard) const {
  const double launch = heard.are_cpus_guessed ? numbers.launch / heard.task_on_gpu : 0;
  return numbers.guess_error + std::log1p(launch);
}

/// While nobody has heard of CPU CUs, a few tasks on them tell what all would take there.
std::optional<estimate> candidates::told_by(const candidate& one) const {
  if (!are_cpus_guessed_ || one.what.how != use::both_kinds) return std::nullopt;
  const auto of_cpus = [](const candidate& other) { return other.what.how == use::cpus; };
  const auto at = std::ranges::find_if(all_, of_cpus);
  return at == all_.end() ? std::nullopt : std::optional{at->now()};
}

/// Beside units that were heard those of a guessed speed decide upon what they have.
double candidates::part_that_is_guessed(const alternative& what, const heard_speeds& heard) const {
  const double all = weight_of(work_, all_tasks(work_.n_tasks)),
               gpus = weight_on_gpus(what, work_, units_) / all;
  return what.how != use::both_kinds ? 1 : heard.are_gpus_guessed ? gpus : 1 - gpus;
}

void candidates::forget_but(std::size_t newest) {
  candidate kept = std::move(all_[at_]);
  kept.timed.keep_newest(std::min(newest, kept.timed.size()));
  all_.clear();
  all_.push_back(std::move(kept));
  at_ = 0;
  slowness_of_cpus_ = slowness_of_gpus_ = 1;
}

double candidates::cost_of_change(const candidate& to) const {
  seconds moving = 0;
  if (!work_.bytes.empty()) {
    const std::vector<unit_id> here = to_map(present().what.shares, work_.n_tasks),
                               there = to_map(to.what.shares, work_.n_tasks);
    for (std::size_t task = 0; task < here.size(); ++task) {
      const space_id from = units_[index(here[task])].space, into = units_[index(there[task])].space;
      if (from != into) moving += of_regions.time_of(static_cast<double>(work_.bytes[task]), from, into);
    }
  }
  return numbers.cold_passes + of_regions.in_all(moving) / present().now().pass;
}

std::optional<std::size_t> candidates::better(const horizon& left, pass_id cold, pass_id block) const {
  const estimate here = present().now();
  std::optional<std::size_t> best;
  double most = numbers.least_worth;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (i == at_) continue;
    const std::optional<estimate> tells_of = told_by(all_[i]);
    const change_cost cost{.there = cost_of_change(all_[i]),
                           .on_trial = static_cast<double>(tells_of ? cold : cold + block)};
    const double worth = worth_of(all_[i].now(), here, left, cost, tells_of);
    if (worth <= most) continue;
    most = worth;
    best = i;
  }
  return best;
}

std::string candidates::text() const {
  std::string text;
  const auto add = [&](const candidate& one, const std::string& name) {
    const estimate now = one.now();
    const char* const how = !one.is_timed() ? "predicted" : one.is_recalled ? "in earlier runs" : "timed";
    text += fmt::format("; {}: {:.4g} s a pass {}, ±{:.2g}%", name, now.pass, how, 100 * now.error);
  };
  add(present(), "this map");
  for (const candidate& one : all_)
    if (&one != &present()) add(one, text_of(one.what, units_));
  return text;
}

}  // namespace yoke::scheduling
