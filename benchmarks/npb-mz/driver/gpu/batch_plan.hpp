#pragma once
/// Everything that one step of one batch of zones needs on a device, laid out once and used as long as the
/// same batch comes again.

#include "device_plan.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace npb {

class batch_plan : public device_plan {
 public:
  explicit batch_plan(const yoke::compute_unit& unit);

  /// Whether it is laid out for `batch` in steps of this parity, with all sources where they were and the
  /// same `own_are_copied`.
  bool fits(const stepping& s, std::span<const yoke::task_id> batch, int step, long work_generation,
            bool own_are_copied) const;
  /// `work`: device memory for the solver, one after the other. `keep_mirror`: other CUs read the outgoing
  /// faces where they arrive in host memory; else they are copied to their own slots. `own_are_copied`: faces
  /// that stay with the unit need nothing here (inner_plan.hpp).
  void lay_out(const stepping& s, std::span<const yoke::task_id> batch, int step, std::byte* work,
               long work_generation, std::span<const std::size_t> work_bytes, bool keep_mirror,
               bool own_are_copied);

  /// Copies scattered faces into the message, where they do not lie side by side.
  void gather() const;
  /// Notes that the messages with the faces for `step` are on their way.
  void set_fetched(const stepping& s, int step);
  /// Whether they were, since the last restart.
  bool is_fetched(const stepping& s, int step) const;
  /// In this order, the solver's step between unpacking and packing. Asynchronous; the caller orders the
  /// streams.
  void enqueue_messages_in(yoke::stream_handle stream) const;
  void enqueue_unpacking(yoke::stream_handle stream) const;
  void enqueue_packing(yoke::stream_handle stream) const;
  void enqueue_message_out(yoke::stream_handle stream) const;
  /// After the message out has arrived: the outgoing faces for `step` are there.
  void deliver(const stepping& s, int step) const;

  std::size_t bytes_in() const { return bytes_in_; }
  std::size_t bytes_out() const { return bytes_out_; }
  /// False while other CUs may read the faces that this plan has delivered.
  bool is_free(const stepping& s) const;

  long last_use = 0;

 private:
  struct message {  // host -> device
    const double* from;
    double* to;
    std::size_t bytes;
  };
  struct outgoing {
    int face;
    bool inside;            ///< read in this space
    std::ptrdiff_t offset;  ///< in the message to the host; -1: not needed there
  };

  struct incoming {
    int zone;
    side at;
    int face;
    const double* source;  ///< null: in this space
    std::size_t size;      ///< doubles
  };

  bool is_copied(const stepping& s, int face) const;
  const double* source_of(const stepping& s, int face, int step) const;
  std::vector<incoming> incoming_of(const stepping& s, int step) const;
  std::vector<face_job> lay_out_incoming(const stepping& s, int step);
  std::vector<message> messages_from(std::vector<std::size_t> remote);
  std::vector<face_job> lay_out_outgoing(const stepping& s, int step);

  std::vector<yoke::task_id> batch_;
  int parity_ = -1;
  bool keep_mirror_ = false;
  bool own_are_copied_ = false;
  long fetched_generation_ = -1;
  int fetched_step_ = -1;
  std::vector<incoming> incoming_;
  std::vector<message> gathered_;  ///< copied on the host first
  std::vector<message> messages_;
  std::vector<outgoing> outgoing_;
  face_table unpack_;
  face_table pack_;
  std::size_t bytes_in_ = 0;
  std::size_t bytes_out_ = 0;
  device_buffer inbox_, staging_, outbox_, mirror_;
};

}  // namespace npb
