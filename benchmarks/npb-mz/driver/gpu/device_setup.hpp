#pragma once
/// Sets zones up on one GPU CU, and takes their norms there: what comes before and after the steps.

#include "common/norm_rows.hpp"
#include "common/setup_kernels.hpp"
#include "device_table.hpp"
#include "driver/faces/device_buffer.hpp"
#include "driver/faces/face_kernels.hpp"
#include "driver/step/stepping.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <yoke/compute_units.hpp>

namespace npb {

/// The zones given are placed in the unit's space. Used inside of runs only; everything is done on return.
class device_setup {
 public:
  /// Zones whose row sums (norm_rows.hpp) are more than `most_sums` doubles go in groups.
  /// Errors: out_of_memory when the faces, or the sums of the norms, do not fit on the device.
  device_setup(const stepping& shared, const yoke::compute_unit& unit,
               std::size_t most_sums = std::size_t{2} << 20);

  void make_forcing(std::span<const yoke::task_id> zones);
  /// Initial state. LU: the residual too, for which the forcing must be there.
  void initialize(std::span<const yoke::task_id> zones);
  /// All faces of the zones, as they are now: into the slots of this device, and those that are read
  /// elsewhere from there to the host, or into slots on the device that reads them.
  void send_faces(std::span<const yoke::task_id> zones, moment now);
  /// Puts the norms of each zone into its element of `norms`.
  void norms(std::span<const yoke::task_id> zones, std::span<zone_norms> norms);
  /// The same of xcr alone.
  void residual_norms(std::span<const yoke::task_id> zones, std::span<zone_norms> norms);

 private:
  /// Doubles that a zone has of some sums; those of xcr come first, so that xce_at() is their number.
  using size_of_rows = std::int64_t (norm_rows::*)() const;
  struct row_sums {
    void (*launch)(const zones_on_device&, benchmark_kind, const constants&);
    size_of_rows size;
  };
  using take_sums = std::function<void(int zone, const norm_rows& rows, const double* sums)>;

  void copy_out(std::span<const yoke::task_id> zones, moment now);
  void note_sent(std::span<const yoke::task_id> zones, moment now);
  norm_rows rows_of(int zone) const { return {kind_, shared_.zones.shape(zone)}; }
  std::size_t size_of_sums(std::size_t most) const;
  std::size_t how_many_fit(std::span<const yoke::task_id> zones) const;
  zones_on_device lay_out(std::span<const yoke::task_id> zones, size_of_rows sums = nullptr);
  void sum_rows(std::span<const yoke::task_id> zones, const row_sums& what, const take_sums& take);
  void sum_rows_of_group(std::span<const yoke::task_id> zones, const row_sums& what, const take_sums& take);

  const stepping& shared_;
  const yoke::compute_unit& unit_;
  benchmark_kind kind_;
  const constants& c_;
  std::unique_ptr<device_solver> solver_;
  std::vector<zone_shape> shapes_;  ///< of the zones laid out
  device_table<device_zone> zones_;
  device_table<face_job> faces_;
  device_buffer sums_;
  device_buffer sums_on_host_;
};

}  // namespace npb
