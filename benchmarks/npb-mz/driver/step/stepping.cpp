#include "stepping.hpp"

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Whether `is_through(other)` is true of all zones that must be through with the step before `zone` may go
/// on.
template <class IsThrough>
bool are_through(const stepping& s, int zone, const IsThrough& is_through) {
  if (s.exchange == exchange_mode::barrier) {
    for (int other = 0; other < s.order.n_zones(); ++other)
      if (!is_through(other)) return false;
    return true;
  }
  return is_through(zone) && std::ranges::all_of(all_sides, [&](side at) {
           return is_through(s.faces.receiver(face_of(zone, at)));
         });
}

}  // namespace

bool is_ready(const stepping& s, int zone, int step) {
  return are_through(s, zone, [&](int other) { return s.order.is_published(other, step); });
}

bool are_ready(const stepping& s, std::span<const yoke::task_id> zones, int step) {
  return std::ranges::all_of(zones, [&](int zone) { return is_ready(s, zone, step); });
}

void wait_until_ready(const stepping& s, int zone, int step) {
  are_through(s, zone, [&](int other) {
    s.order.wait(other, step);
    return true;
  });
}

void publish(const stepping& s, int zone, int step, yoke::space_id space) {
  YOKE_ASSERT(s.zones.space_of(zone) == space, "a zone was moved while its step ran");
  s.order.publish(zone, step);
}

}  // namespace npb
