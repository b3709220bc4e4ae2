/// Replays from which the loops' balancers learn.
#include "../loops/balance.hpp"
#include "recorded_steps.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace yoke::detail {

void recorded_steps::balance() {
  if (context_->n_units() == 1) return;
  for (const bound_array& each : arrays_)
    if (const layout& shape = each.elements->shape(); shape.balanced >= 0)
      look_at_rows(balanced_rows(shape), *context_);
  for (const recorded_step& step : steps_) {
    if (step.all == nullptr) continue;
    const loop_parts& parts = step.all->parts();
    if (parts.own != nullptr && parts.own->balanced >= 0) look_at_rows(balanced_rows(*parts.own), *context_);
    if (parts.deals != nullptr && look_at_dealt(*parts.deals)) is_planned_ = false;
  }
}

/// A replay counts as one loop of each kind, however long it is: else each of a long one would be timed.
void recorded_steps::plan_learning() {
  std::map<std::pair<scheduling::balancer*, std::string_view>, recorded_step*> first;
  for (recorded_step& step : steps_) {
    if (step.all == nullptr) continue;
    loop_parts& parts = step.all->parts();
    parts.counted = false;
    step.alike.clear();
    step.learner = learner_of(parts);
    recorded_step*& same = first[{step.learner, parts.name}];
    if (same != nullptr) step.learner = nullptr;
    if (same == nullptr) same = &step;
    same->alike.push_back(&parts);
  }
}

bool recorded_steps::count() {
  bool any = false;
  for (const recorded_step& step : steps_) {
    if (step.learner == nullptr) continue;
    const bool is_timed = step.learner->count(step.all->parts().name, static_cast<int>(step.alike.size()));
    for (loop_parts* each : step.alike) each->counted = is_timed;
    any = any || is_timed;
  }
  return any;
}

void recorded_steps::run_one_by_one() {
  for (const recorded_step& step : steps_) {
    if (step.all == nullptr) {
      exchange_halos(*step.by_hand->of, step.by_hand->wanted);
      continue;
    }
    loop_parts& parts = step.all->parts();
    parts.recorded = nullptr;
    parts.exchanges.clear();
    parts.copies = ordered_copies{*context_};
    step.all->run([&](const loop_part& part) { step.body->run(part); }, step.body->has_results());
    step.body->finish(*step.all);
  }
}

}  // namespace yoke::detail
