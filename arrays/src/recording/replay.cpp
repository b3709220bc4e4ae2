/// How the steps of a recording are run.
#include "meeting_point.hpp"
#include "recorded_steps.hpp"

#include <algorithm>
#include <span>

namespace yoke::detail {

void recorded_steps::queue_exchanges(recorded_step& step, ordered_copies& copies) {
  step.made.clear();
  for (const planned_exchange& each : step.exchanges) {
    each.of->current = each.before;
    step.made.emplace_back(*each.of, each.wanted, copies);
  }
}

void recorded_steps::queue(std::size_t number) {
  recorded_step& step = steps_[number];
  memory_.step = number;
  if (step.all == nullptr) return;
  step.all->parts().recorded = &memory_;
  step.all->parts().run_gpus([&](const loop_part& part) { step.body->run(part); });
}

void recorded_steps::capture(replayed_stage& of) {
  std::size_t begun = 0;
  try {
    for (const gpu_unit& gpu : context_->gpus) {
      gpu.dev->begin_capture(gpu.stream);
      ++begun;
    }
    for (std::size_t i = of.first; i < of.last; ++i) {
      ordered_copies none{*context_};
      if (!travels(steps_[i])) queue_exchanges(steps_[i], none);
      queue(i);
    }
  } catch (...) {
    try {
      end_capture(of, begun);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one reported
    }
    throw;
  }
  end_capture(of, begun);
}

void recorded_steps::end_capture(replayed_stage& of, std::size_t n_gpus) {
  of.graphs.reserve(n_gpus);
  std::exception_ptr error;
  for (std::size_t i = 0; i < n_gpus; ++i) {
    const gpu_unit& gpu = context_->gpus[i];
    try {
      of.graphs.push_back(gpu.dev->end_capture(gpu.stream));
    } catch (...) {
      error = std::current_exception();
      of.graphs.push_back({});
    }
  }
  if (error) std::rethrow_exception(error);
}

void recorded_steps::drop_graphs() noexcept {
  for (replayed_stage& each : stages_) {
    if (context_->is_alive())
      for (std::size_t i = 0; i < each.graphs.size(); ++i)
        if (each.graphs[i].native != nullptr) context_->gpus[i].dev->destroy_graph(each.graphs[i]);
    each.graphs.clear();
  }
  memory_.clear();
  is_captured_ = false;
}

/// What GPUs do up to the end of a stage, and copies that meet the host.
void recorded_steps::start(replayed_stage& of) {
  ordered_copies copies{*context_};
  if (travels(steps_[of.first])) queue_exchanges(steps_[of.first], copies);
  copies.close();
  for (std::size_t i = 0; i < of.graphs.size(); ++i)
    context_->gpus[i].dev->replay(of.graphs[i], context_->gpus[i].stream);
  if (of.graphs.empty())
    for (std::size_t i = of.first; i < of.last; ++i) {
      if (!travels(steps_[i])) queue_exchanges(steps_[i], copies);
      queue(i);
    }
  copies.wait_on_host();
}

/// All before it has been done on CPU CUs.
void recorded_steps::come_to(std::size_t step) {
  if (step > 0 && leaves_results_for_next(steps_[step - 1])) finish_before(step);
  const auto starts = std::ranges::find(stages_, step, &replayed_stage::first);
  if (starts != stages_.end()) start(*starts);
  recorded_step& next = steps_[step];
  for (std::size_t i = 0; i < next.exchanges.size(); ++i) {
    next.exchanges[i].of->current = next.exchanges[i].after;
    next.made[i].finish_on_host();
  }
  if (next.all != nullptr) next.all->parts().begin_on_cpus();
}

void recorded_steps::run_on_unit(int unit, meeting_point& at) {
  const auto guarded = [&](const auto& what) {
    if (at.failed()) return;
    try {
      what();
    } catch (...) {
      at.fail(std::current_exception());
    }
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (unit == 0) {
      at.wait_for_others(i);
      guarded([&] { come_to(i); });
      at.open(i);
    } else {
      at.arrive_and_wait(i);
    }
    if (steps_[i].all == nullptr) continue;
    guarded([&] {
      steps_[i].all->parts().run_cpu(unit, [&](const loop_part& part) { steps_[i].body->run(part); });
    });
  }
}

void recorded_steps::run() {
  prepare();
  if (!is_captured_)
    for (replayed_stage& each : stages_)
      if (is_worth_a_graph(each)) capture(each);
  is_captured_ = true;
  n_finished_ = 0;
  run_stages();
  finish_before(steps_.size());
}

void recorded_steps::run_stages() {
  const bool cpus = std::ranges::any_of(steps_, [](const recorded_step& each) {
    return each.all != nullptr && each.all->parts().any_on_cpus();
  });
  if (!cpus) {
    for (std::size_t i = 0; i < steps_.size(); ++i) come_to(i);
    return;
  }
  meeting_point at{context_->n_cpu_units - 1};
  context_->each_unit([&](unit_id unit) {
    if (unit < context_->n_cpu_units) run_on_unit(unit, at);
  });
  at.rethrow();
}

/// Results of steps that all units have run, in their order.
void recorded_steps::finish_before(std::size_t step) {
  const auto has_results = [](const recorded_step& each) {
    return each.body != nullptr && each.body->has_results();
  };
  const std::span<recorded_step> steps{steps_.data() + n_finished_, step - n_finished_};
  memory_.queue_results(n_finished_, step);
  if (std::ranges::any_of(steps, has_results) || context_->checks) wait_for(context_->gpus);
  for (const recorded_step& each : steps)
    if (has_results(each)) each.body->finish(*each.all);
  n_finished_ = step;
}

}  // namespace yoke::detail
