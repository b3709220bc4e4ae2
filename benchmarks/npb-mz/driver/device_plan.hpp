#pragma once
/// What every plan for the zones of a GPU CU has: tables in device memory that kernels read, and a graph.

#include "device_buffer.hpp"
#include "face_kernels.hpp"
#include "stepping.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

/// What device memory is divided into.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Laid out once and used until an address or the map changes.
class device_plan {
 public:
  device_plan(const device_plan&) = delete;
  device_plan& operator=(const device_plan&) = delete;

  /// The zones to advance, as kernels read them.
  yoke::device_ptr<const device_zone> zones() const;
  std::span<const zone_shape> shapes() const { return shapes_; }

  int uses = 0;  ///< since it was laid out
  yoke::graph_handle graph{};

 protected:
  explicit device_plan(const yoke::compute_unit& unit);
  ~device_plan();

  /// Whether everything is where it was when it was laid out.
  bool is_current(const stepping& s, long work_generation) const;
  /// Before a new layout: no graph any more, and current only after `complete`.
  void begin(const stepping& s, std::span<const yoke::task_id> zones);
  /// Puts the table of zones, with their parts of `work` one after the other, and that of faces into device
  /// memory; returns where the faces are.
  yoke::device_ptr<const face_job> upload(const stepping& s, std::span<const yoke::task_id> zones,
                                          std::byte* work, std::span<const std::size_t> work_bytes,
                                          std::span<const face_job> faces);
  void complete(const stepping& s, long work_generation);
  /// Of the map it was laid out for.
  long epoch() const { return epoch_; }

  const yoke::compute_unit& unit_;

 private:
  void drop_graph() noexcept;

  std::vector<zone_shape> shapes_;
  long moves_ = -1;
  long epoch_ = -1;
  long work_generation_ = -1;
  device_buffer tables_, upload_;
};

}  // namespace npb
