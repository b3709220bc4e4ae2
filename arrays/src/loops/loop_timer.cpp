#include "loop_timer.hpp"

#include "balance.hpp"

#include <utility>

namespace yoke::detail {

loop_timer::loop_timer(const loop_parts& parts) : parts_{parts} {
  scheduling::balancer* const learner = parts.counted ? nullptr : learner_of(parts);
  is_on_ = parts.counted.value_or(learner != nullptr && learner->count(parts.name));
  if (!is_on_) return;
  units_.resize(static_cast<std::size_t>(parts.context.n_units()));
  gpus_.resize(parts.context.gpus.size());
  wait_for(parts.context.gpus);
  began_ = now();
}

const part_body& loop_timer::around(const part_body& body) {
  if (!is_on_) return body;
  timed_ = [this, &body](const loop_part& part) {
    part.is_on_gpu() ? run_on_gpu(body, part) : run_on_cpus(body, part);
  };
  return timed_;
}

void loop_timer::run_on_cpus(const part_body& body, const loop_part& part) {
  const ticks from = now();
  body(part);
  units_[static_cast<std::size_t>(part.unit())] = elapsed(from, now());
}

void loop_timer::run_on_gpu(const part_body& body, const loop_part& part) {
  const auto gpu = static_cast<std::size_t>(part.unit() - parts_.context.n_cpu_units);
  const timed_span& span = gpus_[gpu].emplace(parts_.context.gpus[gpu]);
  span.begin();
  body(part);
  span.end();
}

void loop_timer::begin_exchange() {
  if (is_on_) exchange_began_ = now();
}

void loop_timer::end_exchange() {
  if (is_on_) with_host_ = elapsed(exchange_began_, now()) * parts_.copies.share_of_host();
}

void loop_timer::finish() {
  if (!is_on_) return;
  scheduling::timed_loop loop{std::move(units_), elapsed(began_, now()), {}, with_host_};
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
    if (gpus_[gpu])
      loop.units[static_cast<std::size_t>(parts_.context.n_cpu_units) + gpu] = gpus_[gpu]->length();
  learn(parts_, std::move(loop));
}

}  // namespace yoke::detail
