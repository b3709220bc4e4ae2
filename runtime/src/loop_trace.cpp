#include "loop_trace.hpp"

#include "trace_tracks.hpp"

namespace yoke::detail {

void loop_trace::write_to(trace_recorder* recorder, int number) {
  recorder_ = recorder;
  number_ = number;
}

void loop_trace::lined_up(unit_id unit, ticks came) { recorder_->span(unit, "wait", "line up", came, now()); }

trace_arguments loop_trace::shown(const execution& when, task_id task) const {
  return {{{"loop", static_cast<double>(number_)},
           {"pass", static_cast<double>(when.pass)},
           {"task", static_cast<double>(task)},
           {"weight", weight_of(work_, task)}}};
}

void loop_trace::ran(const execution& when, task_id task) const {
  recorder_->span(when.unit, "task", "task", when.began, when.ended, shown(when, task));
}

// The shares by weight of the measured batch, so that each task can be found in the picture. On a track of
// their own: nothing of the CU's began or ended with them.
void loop_trace::ran(const execution& when, std::span<const task_id> batch) const {
  if (batch.size() == 1) return ran(when, batch.front());
  const int track = trace_tracks::share_track(n_units_, when.unit);
  const ticks length = when.ended - when.began;
  const double total = weight_of(work_, batch);
  const auto at = [&](double weight) {
    return when.began + static_cast<ticks>(static_cast<double>(length) * (weight / total));
  };
  double before = 0;
  for (const task_id task : batch) {
    const double until = before + weight_of(work_, task);
    recorder_->span(track, "apportioned", "task", at(before), at(until), shown(when, task));
    before = until;
  }
  recorder_->span(when.unit, "batch", "batch", when.began, when.ended,
                  {{{"loop", static_cast<double>(number_)},
                    {"pass", static_cast<double>(when.pass)},
                    {"tasks", static_cast<double>(batch.size())},
                    {"weight", total}}});
}

}  // namespace yoke::detail
