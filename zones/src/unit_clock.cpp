#include "unit_clock.hpp"

namespace yoke::detail {

void unit_clock::start() {
  spent_ = 0;
  events_.clear();
}

seconds unit_clock::take() {
  seconds all = elapsed(0, std::exchange(spent_, 0));
  for (const auto& [from, to] : events_) all += device_->seconds_between(from, to);
  events_.clear();
  return all;
}

flow::step unit_clock::timed(const flow::step& what, std::shared_ptr<unit_clock> clock, end which) {
  auto plan = std::make_shared<flow::plan>(*what.what);
  plan->run = [of = what.what, clock = std::move(clock), which](const flow::site& at) {
    clock->time(at, *of, which);
  };
  return {std::move(plan), what.arguments};
}

void unit_clock::time(const flow::site& at, const flow::plan& what, end which) {
  if (at.dev == nullptr) {
    const ticks from = now();
    what.run(at);
    spent_ += now() - from;
    return;
  }
  if (which != end::last) {
    events_.emplace_back(owned_event{*device_, device_->create_timed_event()},
                         owned_event{*device_, device_->create_timed_event()});
    device_->record(events_.back().first, at.stream);
  }
  what.run(at);
  if (which != end::first) device_->record(events_.back().second, at.stream);
}

}  // namespace yoke::detail
