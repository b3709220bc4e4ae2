#include "stepping.hpp"

#include <algorithm>

#include <yoke/error.hpp>

namespace npb {

void wait_until_ready(const stepping& s, int zone, int step) {
  if (s.exchange == exchange_mode::barrier) return s.order.wait_for_all(step);
  s.order.wait(zone, step);
  for (const side at : all_sides) s.order.wait(s.faces.receiver(face_of(zone, at)), step);
}

bool is_ready(const stepping& s, int zone, int step) {
  const auto published = [&](int other) { return s.order.is_published(other, step); };
  if (s.exchange == exchange_mode::barrier) {
    for (int other = 0; other < s.order.n_zones(); ++other)
      if (!published(other)) return false;
    return true;
  }
  return published(zone) && std::all_of(all_sides.begin(), all_sides.end(), [&](side at) {
           return published(s.faces.receiver(face_of(zone, at)));
         });
}

void publish(const stepping& s, int zone, int step, yoke::space_id space) {
  YOKE_ASSERT(s.zones.space_of(zone) == space, "a zone was moved while its step ran");
  s.order.publish(zone, step);
}

void unit_account::reset(int steps) {
  *this = {};
  compute.assign(static_cast<std::size_t>(steps), 0);
  exchange.assign(static_cast<std::size_t>(steps), 0);
}

stopwatch::~stopwatch() {
  const yoke::ticks to = yoke::now();
  sum_ += to - from_;
  if (trace_ == nullptr) return;
  try {
    trace_->span(unit_, what_, what_, from_, to);
  } catch (...) {  // a trace that misses a span is better than a run that ends
  }
}

void wait_for(const stepping& s, int unit, std::span<const yoke::task_id> zones, int step,
              unit_account& account) {
  off_the_clock(s, unit, "wait", account.waiting, [&] {
    for (const int zone : zones) wait_until_ready(s, zone, step);
  });
}

}  // namespace npb
