#pragma once
/// The part of a device's step that needs nothing from elsewhere: the faces between the zones of one GPU CU,
/// and those of its zones that have all neighbours among them.

#include "device_buffer.hpp"
#include "face_kernels.hpp"
#include "stepping.hpp"

#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

/// Laid out once for a settled map. The same for even and odd steps: a face is copied from the first interior
/// plane of one zone to the boundary plane of the other, where it stays until the next step.
class inner_plan {
 public:
  explicit inner_plan(const yoke::compute_unit& unit);
  ~inner_plan();
  inner_plan(const inner_plan&) = delete;
  inner_plan& operator=(const inner_plan&) = delete;

  bool fits(const stepping& s, std::span<const yoke::task_id> share, long work_generation) const;
  /// `share`: all zones of the unit; `inner`: those of them to advance; `work`: as for batch_plan.
  void lay_out(const stepping& s, std::span<const yoke::task_id> share, std::span<const yoke::task_id> inner,
               std::byte* work, long work_generation, std::span<const std::size_t> work_bytes);

  /// Nothing to copy and no inner zones.
  bool is_empty() const { return shapes_.empty() && copies_.n_jobs == 0; }
  /// One launch; all zones of the share must be at the start of the step. Asynchronous.
  void enqueue_copies() const;
  yoke::device_ptr<const device_zone> zones() const;
  std::span<const zone_shape> shapes() const { return shapes_; }

  int uses = 0;  ///< since it was laid out
  yoke::graph_handle graph{};

 private:
  void drop_graph() noexcept;
  std::vector<face_job> copies_in(const stepping& s) const;
  void upload(std::span<const device_zone> zones, std::span<const face_job> copies);

  const yoke::compute_unit& unit_;
  std::vector<yoke::task_id> share_;
  std::vector<zone_shape> shapes_;
  long moves_ = -1;
  long epoch_ = -1;
  long work_generation_ = -1;
  face_table copies_;
  device_buffer tables_, upload_;
};

}  // namespace npb
