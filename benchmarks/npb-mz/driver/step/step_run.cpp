#include "step_run.hpp"

#include <algorithm>

namespace npb {

void step_run::wait_for(std::span<const yoke::task_id> zones) {
  if (!are_ready(shared_, zones, number())) {
    off_the_clock("wait", account_.waiting, [&] {
      for (const int zone : zones) wait_until_ready(shared_, zone, number());
    });
  }
  shared_.order.check();
}

yoke::ticks step_run::count_otherwise(yoke::seconds spent, yoke::ticks& as) {
  const auto ticks = std::min(compute(), static_cast<yoke::ticks>(spent / yoke::tick_length()));
  compute() -= ticks;
  as += ticks;
  return ticks;
}

void step_run::wait_for_zone(yoke::task_id zone) {
  if (shared_.order.is_published(zone, number())) return;
  off_the_clock("wait", account_.waiting, [&] { shared_.order.wait(zone, number()); });
}

void step_run::publish(std::span<const yoke::task_id> zones, yoke::space_id space) {
  for (const int zone : zones) {
    account_.count(shared_.zones.shape(zone));
    npb::publish(shared_, zone, number(), space);
  }
}

}  // namespace npb
