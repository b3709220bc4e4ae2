#pragma once
/// The step of a GPU CU's share whose neighbours elsewhere are all on devices that give their faces directly:
/// one launch for the second part of all zones, while the exchange hides behind their first part.

#include "inner_plan.hpp"
#include "peer_order.hpp"

namespace npb {

/// The first part is that of inner zones, or of all zones where the solver begins before faces. Where the map
/// is fixed the next step is set going before this one is over: then devices wait for each other, and for no
/// host. A drawing of a step is in docs/guide/npb-mz.md.
class whole_share {
 public:
  explicit whole_share(device_work& work);

  /// One step of all zones.
  void run(step_run& step);
  /// Whether something of a step is under way.
  bool is_begun(moment at) const { return begun_ == at; }

 private:
  void start(step_run& step);
  void lay_out(step_run& step);
  bool may_go_on(const step_run& step) const;
  void go_on(step_run& step);
  void end(step_run& step);

  /// The two parts of a step's launches. The second needs the faces of others (peer_order::have_faces).
  void begin(step_run& step);
  void place_faces();
  void await_faces(step_run& step);
  batch_plan& border_plan(step_run& step);
  void complete(const batch_plan& border, step_run& step);
  void receive(const batch_plan& border, step_run& step);
  void send(const batch_plan& border, step_run& step);

  bool has_first_part() const;
  void note_waiting(step_run& step);
  void note_exchange(step_run& step);

  /// What is timed of a step.
  struct times {
    explicit times(yoke::device& dev);
    stream_mark begun;  ///< behind the first part
    stream_watch waiting, receiving, sending;
  };
  times& times_of(moment at) { return times_[static_cast<std::size_t>(at.parity())]; }

  device_work& work_;
  peer_order peers_;
  inner_plan plan_;             ///< of all zones, the border's first
  moment left_;                 ///< for which the faces among the zones are where they are read
  moment begun_, completed_;    ///< the last steps of which the first and the second part were launched
  std::array<times, 2> times_;  ///< by parity
  stream_mark done_;            ///< behind the second part
  stream_watch placing_;        ///< faces, before a step
};

}  // namespace npb
