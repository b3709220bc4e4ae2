#pragma once
/// What the steppers of all compute units share, and what each of them notes down.

#include "common/solver.hpp"
#include "driver/faces/face_store.hpp"
#include "driver/run/options.hpp"
#include "publication.hpp"
#include "zone_store.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/task_loop.hpp>
#include <yoke/trace.hpp>

namespace npb {

struct stepping {
  const benchmark& what;
  zone_store& zones;
  face_store& faces;
  publication& order;
  std::span<const double> weights;  ///< by zone
  exchange_mode exchange = exchange_mode::dataflow;
  bool graphs = true;
  yoke::trace_recorder* trace = nullptr;
  yoke::task_loop* loop = nullptr;  ///< the one that is running
  int last_step = 0;      ///< of this run: the state behind it is looked at, with the boundaries that it had
  bool is_fixed = false;  ///< the map, until then
};

/// Waits until `zone` may run `step`: it and its neighbours are published for it, or everybody in the
/// barrier form. Errors: stopped.
void wait_until_ready(const stepping& s, int zone, int step);
bool is_ready(const stepping& s, int zone, int step);
/// `zone` has finished `step` in `space`. Asserts that it is still placed there: a zone that somebody moved
/// meanwhile was computed on a copy that nobody will read.
void publish(const stepping& s, int zone, int step, yoke::space_id space);

/// What one CU did since reset; written by the CU's own outer thread.
struct alignas(128) unit_account {
  long long tasks = 0;                ///< zone steps
  double work = 0;                    ///< their interior points
  yoke::ticks waiting = 0;            ///< for other CUs' faces
  yoke::ticks preparing = 0;          ///< laying out batches and capturing their graphs
  long migrations = 0;                ///< zones fetched from another space
  long replays = 0;                   ///< graphs replayed instead of single launches
  std::size_t bytes_in = 0;           ///< of faces, host to device
  std::size_t bytes_out = 0;          ///< of faces, device to host
  std::vector<yoke::ticks> compute;   ///< by step
  std::vector<yoke::ticks> exchange;  ///< by step: packing, unpacking, gathering; not the waiting

  void reset(int steps);
  void count(const zone_shape& zone) {
    ++tasks;
    work += static_cast<double>(zone.interior_points());
  }
};

/// Adds the ticks of its scope to a sum, and to the trace where there is one.
class stopwatch {
 public:
  stopwatch(yoke::trace_recorder* trace, int unit, const char* what, yoke::ticks& sum)
      : trace_{trace}, unit_{unit}, what_{what}, sum_{sum}, from_{yoke::now()} {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch();

 private:
  yoke::trace_recorder* trace_;
  int unit_;
  const char* what_;
  yoke::ticks& sum_;
  yoke::ticks from_;
};

/// wait_until_ready for all of `zones`; the time counts as waiting and not as time of the batch.
void wait_for(const stepping& s, int unit, std::span<const yoke::task_id> zones, int step,
              unit_account& account);

/// Runs `work` outside of the batch's time: what is waited for, or done once for many steps, says nothing
/// about the speed of a CU, which schedules fit from that time.
template <class Work>
void off_the_clock(const stepping& s, int unit, const char* what, yoke::ticks& sum, const Work& work) {
  yoke::ticks spent = 0;
  {
    const stopwatch watch{s.trace, unit, what, spent};
    work();
  }
  sum += spent;
  if (s.loop != nullptr) s.loop->exclude(spent);
}

}  // namespace npb
