#include "recorded_steps.hpp"

#include "../loops/balance.hpp"
#include "../memory/array_state.hpp"
#include "../moves/moved_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <yoke/error.hpp>

namespace yoke::detail {

recorded_steps::recorded_steps(std::shared_ptr<array_context> context, std::vector<recorded_step> steps,
                               std::vector<bound_array> arrays)
    : context_{std::move(context)}, steps_{std::move(steps)}, arrays_{std::move(arrays)}, memory_{context_} {
  plan_halos();
  std::erase_if(steps_,
                [](const recorded_step& each) { return each.all == nullptr && each.exchanges.empty(); });
  plan_stages();
  plan_learning();
}

recorded_steps::~recorded_steps() {
  if (context_->is_alive()) drain(context_->gpus);
  drop_graphs();
}

namespace {

/// What a step reads beside own elements; everywhere only where units run it, as arrays are cut now.
std::vector<planned_exchange> read_by(const recorded_step& step) {
  std::vector<planned_exchange> all;
  if (step.by_hand) all.push_back(*step.by_hand);
  if (step.all == nullptr) return all;
  for (const used_array& use : step.all->parts().uses)
    if (use.has_halo) all.push_back({.of = use.elements, .wanted = use.declared});
  return all;
}

}  // namespace

/// What nothing in the recording writes is made current before the first step, once and for all replays.
void recorded_steps::plan_halos() {
  at_start_.clear();
  at_end_.clear();
  for (recorded_step& step : steps_) {
    std::vector<planned_exchange> needed;
    for (planned_exchange each : read_by(step)) {
      const auto current = at_end_.find(each.of);
      if (current == at_end_.end()) {
        halo_state& start = at_start_[each.of];
        start = merged(start, each.wanted);
      } else if (!current->second.covers(each.wanted)) {
        each.before = current->second;
        each.after = current->second = merged(each.wanted, each.before);
        needed.push_back(each);
      }
    }
    step.exchanges = std::move(needed);
    if (step.all == nullptr) continue;
    for (const used_array& use : step.all->parts().uses)
      if (writes(use)) {
        const auto ends = at_end_.find(use.elements), starts = at_start_.find(use.elements);
        const halo_state before = ends != at_end_.end()       ? ends->second
                                  : starts != at_start_.end() ? starts->second
                                                              : halo_state{};
        at_end_[use.elements] = before.after_write(written_by(step.all->parts().over, use));
      }
  }
}

bool recorded_steps::travels(const recorded_step& step) const {
  if (context_->gpus.size() == 1 && context_->n_cpu_units == 0) return false;
  return std::ranges::any_of(step.exchanges, [&](const planned_exchange& each) {
    if (each.of->travels_to(each.wanted.all_in)) return true;
    for (int d = 0; d < 4; ++d)
      if (each.of->has_halo_to_exchange(d) && each.after.reaches_out(d)) return true;
    return false;
  });
}

bool leaves_results_for_next(const recorded_step& step) {
  return step.body != nullptr && step.body->has_results() && step.body->has_results_for_arrays();
}

void recorded_steps::plan_stages() {
  stages_.clear();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (stages_.empty() || travels(steps_[i]) || leaves_results_for_next(steps_[i - 1]))
      stages_.push_back({.first = i});
    stages_.back().last = i + 1;
  }
}

/// One launch is as quick as a graph of one. Whatever has results is laid out in advance, with its memory.
bool recorded_steps::is_worth_a_graph(const replayed_stage& of) const {
  if (context_->gpus.empty()) return false;
  const recorded_step& first = steps_[of.first];
  return of.last - of.first > 1 || (first.body != nullptr && first.body->has_reductions());
}

void recorded_steps::check_arrays() const {
  for (const bound_array& each : arrays_) {
    if (std::ranges::find(context_->arrays, each.state) == context_->arrays.end())
      throw usage_error{fmt::format("replay: {} has ended; keep it as long as the recording", each.called)};
    const contents& now = each.state->usable("replay");
    if (&now != each.elements || now.number() != each.number)
      throw usage_error{
          fmt::format("replay: {} has been swapped since, or is another one; record again", each.called)};
  }
}

bool recorded_steps::are_cut_anew() const {
  return std::ranges::any_of(
             arrays_, [](const bound_array& each) { return each.shape != each.elements->shared_shape(); }) ||
         std::ranges::any_of(steps_, [](const recorded_step& each) {
           return each.all != nullptr && is_left_behind(each.all->parts());
         });
}

/// Where cuts have moved: graphs have other addresses, and arrays may not go together any more.
void recorded_steps::plan_again() {
  is_planned_ = false;
  drain(context_->gpus);
  drop_graphs();
  for (const recorded_step& step : steps_) {
    if (step.all == nullptr) continue;
    check_uses(step.all->parts());
    step.body->cut_anew(*step.all);
  }
  plan_halos();
  plan_stages();
  plan_learning();
  for (bound_array& each : arrays_) each.shape = each.elements->shared_shape();
  is_planned_ = true;
}

/// Elements that are not on their devices yet, and halos.
void recorded_steps::prepare() {
  for (const bound_array& each : arrays_)
    for (store& part : each.elements->gpus()) each.elements->load(part);
  ordered_copies copies{*context_};
  std::vector<halo_exchange> made;
  for (const auto& [elements, wanted] : at_start_)
    if (!elements->current.covers(wanted)) made.emplace_back(*elements, wanted, copies);
  if (made.empty()) return;
  copies.close();
  copies.wait_on_host();
  for (const halo_exchange& each : made) each.finish_on_host();
}

void recorded_steps::forget_halos() {
  for (const bound_array& each : arrays_) each.elements->current = {};
}

void recorded_steps::replay() {
  refuse_in_region("replay");
  refuse_in_recording("replay");
  const std::lock_guard guard{context_->lock};
  if (!context_->is_alive()) throw usage_error{"replay: the runtime of the recording has ended"};
  check_arrays();
  for (const bound_array& each : arrays_)
    if (each.elements->is_everywhere)
      hold_everywhere(*each.elements);  // a swap may have brought other memory
  balance();
  if (!is_planned_ || are_cut_anew()) plan_again();
  try {
    if (count())
      run_one_by_one();
    else
      run();
    for (const auto& [elements, current] : at_end_) elements->current = current;
  } catch (...) {
    drain(context_->gpus);
    drop_graphs();
    forget_halos();
    throw;
  }
}

}  // namespace yoke::detail
