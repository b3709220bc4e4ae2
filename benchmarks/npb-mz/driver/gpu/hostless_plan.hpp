#pragma once
/// The part of a device's step that needs no host: the faces between the zones of one GPU CU, and those of
/// its zones that are hostless.

#include "device_plan.hpp"

#include <span>
#include <vector>

namespace npb {

/// The same for even and odd steps: a face is copied from the first interior plane of one zone to the
/// boundary plane of the other, where it stays until the next step.
class hostless_plan : public device_plan {
 public:
  explicit hostless_plan(const yoke::compute_unit& unit) : device_plan{unit} {}

  bool fits(const stepping& s, std::span<const yoke::task_id> share, long work_generation) const;
  /// `share`: all zones of the unit; `zones`: those of them to advance; `work`: as for batch_plan.
  /// `begun_elsewhere`: of `zones` the first ones, whose step another plan begins.
  void lay_out(const stepping& s, std::span<const yoke::task_id> share, std::span<const yoke::task_id> zones,
               std::byte* work, long work_generation, std::span<const std::size_t> work_bytes,
               std::size_t begun_elsewhere);

  /// One launch; all zones of the share must be between two steps. Asynchronous.
  void enqueue_copies(yoke::stream_handle stream) const;
  bool has_copies() const { return all_.n_jobs > 0; }
  /// Parts of that, where the solver sends the faces among these zones and among the others: those across.
  void enqueue_copies_from_border(yoke::stream_handle stream) const;
  void enqueue_copies_to_border(yoke::stream_handle stream) const;

 private:
  face_job copy_of(const stepping& s, int zone, side at, int other) const;

  std::vector<yoke::task_id> share_;
  face_table all_;
  face_table from_border_, to_border_;  ///< parts of all_
};

}  // namespace npb
