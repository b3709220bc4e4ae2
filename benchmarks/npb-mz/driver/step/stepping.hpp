#pragma once
/// What the steppers of all compute units share.

#include "common/solver.hpp"
#include "driver/faces/departures.hpp"
#include "driver/faces/face_store.hpp"
#include "exchange_mode.hpp"
#include "publication.hpp"
#include "zone_store.hpp"

#include <algorithm>
#include <atomic>
#include <span>

#include <yoke/task_loop.hpp>
#include <yoke/trace.hpp>

namespace npb {

struct stepping {
  const benchmark& what;
  zone_store& zones;
  face_store& faces;
  publication& order;
  departures& departed;
  std::span<const double> weights;  ///< by zone
  exchange_mode exchange = exchange_mode::dataflow;
  bool graphs = true;
  yoke::trace_recorder* trace = nullptr;
  yoke::task_loop* loop = nullptr;  ///< the one that is running
  /// Of those that are known to follow: the state behind it is looked at, with the boundaries that it had. It
  /// moves on before any CU begins the step before it, in which a device may begin this one.
  std::atomic<int> last_step{0};
  bool is_fixed = false;  ///< the map, until then
};

/// Whether `zone` may run `step`: it and its neighbours are published for it, or everybody in the barrier
/// form.
bool is_ready(const stepping& s, int zone, int step);
bool are_ready(const stepping& s, std::span<const yoke::task_id> zones, int step);
/// Waits until it is. Errors: stopped.
void wait_until_ready(const stepping& s, int zone, int step);
/// `zone` has finished `step` in `space`. Asserts that it is still placed there: a zone that somebody moved
/// meanwhile was computed on a copy that nobody will read.
void publish(const stepping& s, int zone, int step, yoke::space_id space);

}  // namespace npb
