#pragma once
/// The part of a GPU CU's step that needs nobody else: zones of its share with all neighbours in it, and the
/// faces between the zones of the share.

#include "device_work.hpp"
#include "inner_plan.hpp"

namespace npb {

/// Between two steps of a run with a fixed map they may be on their way to the next one.
class inner_zones {
 public:
  explicit inner_zones(device_work& work);

  /// Sets them going, unless they are: so the device is busy while the border is prepared, whose kernels go
  /// before theirs all the same.
  void start(step_run& step);
  bool are_started(moment at) const { return started_ == at; }
  /// After the border's step was set going, if any: what the next step needs of their faces and the solver
  /// has not sent.
  void leave_faces(step_run& step);
  /// Starts the next step at once where that is possible: the device need not wait while the host finishes
  /// this one. Requires mark_done.
  void go_on(step_run& step);

  /// From here on what they have by now is their step.
  void mark_done() { done_.set(work_.within.handle()); }
  bool are_done() const { return done_.is_passed(); }
  const stream_mark& end() const { return done_; }
  /// Waits until they are, and until copies beside them are where no later step follows.
  void finish(const step_run& step);
  /// What the device spent on copies before a step.
  yoke::seconds take_placing() { return placing_.take(); }

 private:
  void make_ready(step_run& step);
  void lay_out(step_run& step);
  bool may_go_on(const step_run& step) const;
  void launch(step_run& step);
  void place_faces(step_run& step);
  void advance(step_run& step);
  void follow_border(side_stream& copies);

  device_work& work_;
  inner_plan plan_;
  moment left_;        ///< for which the faces among the unit's zones are where they are read
  moment started_;     ///< to which the zones are on their way
  stream_mark begun_;  ///< behind the first part of their step, where it is in two
  stream_mark done_;
  stream_watch placing_;  ///< faces, before a step
};

}  // namespace npb
