#pragma once
/// What every plan for the zones of a GPU CU has: tables in device memory that kernels read, and graphs.

#include "device_table.hpp"
#include "driver/faces/face_kernels.hpp"
#include "driver/step/stepping.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

/// How a step of a plan's zones is launched.
struct step_form {
  bool sends = false;     ///< the solver gives faces to those who take them (device_solver::sends_faces)
  bool in_parts = false;  ///< something may come between the two parts of the solver's step
  bool operator==(const step_form&) const = default;
};

/// A step that was captured. The first graph is empty where the step is in one part.
struct captured_step {
  step_form form;
  yoke::graph_handle begin{}, finish{};
};

/// Laid out once and used until an address or the map changes.
class device_plan {
 public:
  device_plan(const device_plan&) = delete;
  device_plan& operator=(const device_plan&) = delete;

  /// The zones to advance, as kernels read them.
  yoke::device_ptr<const device_zone> zones(bool sending) const { return sending ? sending_ : zones_; }
  std::span<const zone_shape> shapes() const { return shapes_; }
  /// Of these zones the first ones, whose step another plan begins.
  std::size_t begun_elsewhere() const { return begun_elsewhere_; }

  /// Whether it was laid out for the map that holds now.
  bool is_of_map(const stepping& s) const { return routes_ == s.faces.routes(); }

  int uses = 0;  ///< since it was laid out
  captured_step captured;
  void drop_graphs() noexcept;
  bool is_captured() const { return captured.finish.native != nullptr; }
  bool is_captured_as(step_form form) const { return is_captured() && captured.form == form; }

 protected:
  explicit device_plan(const yoke::compute_unit& unit);
  ~device_plan();

  /// Whether everything is where it was when it was laid out.
  bool is_current(const stepping& s, long work_generation) const;
  /// Before a new layout: no graphs any more, and current only after `complete`.
  void begin(const stepping& s, std::span<const yoke::task_id> zones);
  /// Puts the tables of zones, with their parts of `work` one after the other, into device memory.
  /// `can_send`: also one in which they take each other's faces.
  void upload_zones(const stepping& s, std::span<const yoke::task_id> zones, std::byte* work,
                    std::span<const std::size_t> work_bytes, bool can_send);
  yoke::device_ptr<const face_job> upload_faces(std::span<const face_job> faces) {
    return face_table_.upload(unit_.stream, faces);
  }
  /// Waits for the uploads: any stream may read the tables then.
  void complete(const stepping& s, long work_generation);

  const yoke::compute_unit& unit_;
  std::size_t begun_elsewhere_ = 0;

 private:
  static void add_takers(const stepping& s, std::span<const yoke::task_id> zones,
                         std::vector<device_zone>& table);

  std::vector<zone_shape> shapes_;
  long moves_ = -1;
  std::shared_ptr<const face_routes> routes_;  ///< that it was laid out for
  long work_generation_ = -1;
  yoke::device_ptr<const device_zone> zones_, sending_;
  device_table<device_zone> zone_table_, sending_table_;
  device_table<face_job> face_table_;
};

}  // namespace npb
