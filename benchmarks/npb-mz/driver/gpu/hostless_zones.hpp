#pragma once
/// The zones of a GPU CU's share of which no host has to see a face: those with all neighbours in the share,
/// and those of the seam, whose other neighbours are on devices that give their faces directly.

#include "hostless_plan.hpp"
#include "peer_order.hpp"

namespace npb {

/// Their step is in two parts, where something comes in between. The first needs nobody else: it is that of
/// inner zones, or of all where the solver begins before faces, and an exchange between devices hides behind
/// it. The second is one launch for all. Where the map is fixed the next step is set going before this one is
/// over: then devices wait for each other, and for no host. A drawing of a step is in docs/guide/npb-mz.md.
class hostless_zones {
 public:
  explicit hostless_zones(device_work& work);

  /// The first part, with the faces among the zones of the share where the solver has not sent them; unless
  /// that is under way.
  void begin(step_run& step);
  bool is_begun(moment at) const { return begun_ == at; }
  /// Whether the faces of other devices are there, or under way to here.
  bool may_be_completed(moment at) const { return peers_.have_faces(work_.parts.seam.peers, at); }
  /// The second part, and what the seam gives to other devices, which are told so unless the border gives
  /// some too.
  void complete(step_run& step);
  bool is_complete(moment at) const { return completed_ == at; }
  /// Whether the device has something to do for what is launched of a step that is begun.
  bool are_at_work(moment at) const;

  /// Tells other devices that all faces have left: behind complete and the border's step.
  void announce(step_run& step);
  bool is_announced(moment next) const { return work_.shared.departed.is_announced(work_.unit.id, next); }
  /// Behind complete and the border's step: what the next step needs of the faces between the two and the
  /// solver has not sent.
  void leave_faces(step_run& step);
  /// Whether the next step may begin before this one is over.
  bool may_go_on(const step_run& step) const;
  /// Whether a seam's next step is laid out: laying it out might move what the present one uses.
  bool is_laid_out(moment at) const;
  /// Whether a step that is complete and announced is over.
  bool is_over(const step_run& step) const;
  /// Waits until it is, and until copies beside it are where no later step follows. It ends where
  /// another CU has failed, too: this device waits for what others were told to do before that was announced,
  /// and a stream that has failed lets events happen.
  void finish(const step_run& step);

  /// Behind their step.
  const stream_mark& end(moment at) const { return times_of(at).done; }
  /// How long the device had nothing to do but to wait for other devices.
  yoke::seconds take_waiting(const step_run& step);
  /// What it spent on faces. The first part of a step hides what comes in, and that of the next one what goes
  /// out.
  yoke::seconds take_exchange(const step_run& step);

 private:
  void lay_out(step_run& step);
  void launch_first(step_run& step);
  void launch_second(step_run& step);
  void place_faces();
  void follow_border(side_stream& copies);
  batch_plan& seam_plan(step_run& step);
  void receive(const batch_plan& seam, step_run& step);
  void send(const batch_plan& seam, step_run& step);
  bool has_first_part() const;
  bool copies_across() const;

  /// What is marked and timed of a step.
  struct times {
    explicit times(yoke::device& dev);
    stream_mark begun;       ///< behind the first part
    stream_mark seam_begun;  ///< behind that of the seam
    stream_mark done;        ///< behind the second part
    stream_watch waiting, receiving, sending;
  };
  times& times_of(moment at) { return times_[static_cast<std::size_t>(at.parity())]; }
  const times& times_of(moment at) const { return times_[static_cast<std::size_t>(at.parity())]; }

  device_work& work_;
  peer_order peers_;
  hostless_plan plan_;
  moment left_;                 ///< for which the faces among the share's zones are where they are read
  moment begun_, completed_;    ///< the last steps of which the first and the second part were launched
  std::array<times, 2> times_;  ///< by parity
  stream_watch placing_;        ///< faces, before a step
};

}  // namespace npb
