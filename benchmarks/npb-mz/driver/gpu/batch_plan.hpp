#pragma once
/// Everything that one step of one batch of zones needs on a device, laid out once and used as long as the
/// same batch comes again.

#include "device_plan.hpp"
#include "face_message.hpp"
#include "peer_message.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace npb {

class batch_plan : public device_plan {
 public:
  explicit batch_plan(const yoke::compute_unit& unit);

  /// Whether it is laid out for `batch` in steps as this one, even or odd, as part of a share or not, with
  /// all sources where they were.
  bool fits(const stepping& s, std::span<const yoke::task_id> batch, moment now, long work_generation,
            bool of_share) const;
  /// `work`: device memory for the solver, one after the other. `of_share`: faces that are sent within the
  /// unit's share need nothing here (inner_plan.hpp).
  void lay_out(const stepping& s, std::span<const yoke::task_id> batch, moment now, std::byte* work,
               long work_generation, std::span<const std::size_t> work_bytes, bool of_share);

  /// Before enqueue_messages_in: what the host has to do for them.
  void gather() const { in_.gather(); }
  /// Notes that the messages with the faces of this moment are on their way.
  void set_fetched(moment now) { fetched_ = now; }
  bool is_fetched(moment now) const { return fetched_ == now; }
  /// In this order, the solver's step between unpacking and packing. Asynchronous; the caller orders the
  /// streams.
  void enqueue_messages_in(yoke::stream_handle stream) const { in_.enqueue_in(stream); }
  void enqueue_unpacking(yoke::stream_handle stream) const;
  void enqueue_packing(yoke::stream_handle stream) const;
  /// Copies into slots on other devices, and notes them down as full: who takes these faces makes his stream
  /// wait for them, or finds their zones published.
  void enqueue_to_peers(yoke::stream_handle stream) const { to_peers_.enqueue(stream); }
  void note_departure(const stepping& s, moment next) const;
  void enqueue_message_out(yoke::stream_handle stream) const { out_.enqueue_out(stream); }
  /// After the message out has arrived: the other outgoing faces, of the next moment, are there.
  void deliver(const stepping& s, moment next) const;

  std::size_t bytes_in() const { return in_.bytes(); }
  std::size_t bytes_out() const { return out_.bytes(); }
  std::span<const face_run> copies_to_peers() const { return to_peers_.copies(); }

  long last_use = 0;
  moment under_way;  ///< the step that uses it

 private:
  struct outgoing {
    int face;
    face_route route;
    bool goes_directly, goes_through_host;
  };
  struct incoming {
    int zone;
    side at;
    int face;
    bool from_host;
  };

  face_route route_of(const stepping& s, int face) const;
  outgoing leaving(const stepping& s, int face) const;
  bool comes_from_host(const stepping& s, int face, moment now) const;
  std::vector<incoming> incoming_of(const stepping& s, moment now) const;
  std::vector<outgoing> outgoing_of(const stepping& s) const;
  std::vector<face_job> lay_out_incoming(const stepping& s, moment now);
  std::vector<face_job> lay_out_outgoing(const stepping& s, moment next);

  std::vector<yoke::task_id> batch_;
  moment laid_out_;
  bool of_share_ = false;
  moment fetched_;
  std::vector<incoming> incoming_;
  std::vector<outgoing> outgoing_;
  face_table unpack_;
  face_table pack_;
  face_message in_, out_;
  peer_message to_peers_;
};

}  // namespace npb
