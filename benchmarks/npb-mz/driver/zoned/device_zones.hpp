#pragma once
/// One GPU CU on many zones.

#include "common/solver.hpp"
#include "driver/gpu/device_table.hpp"
#include "host_team.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <yoke/device.hpp>

namespace npb {

/// Zones whose fields are in the memory of a device, in the order of their numbers.
using zones_there = zones_on_host;

/// Call from one thread at a time, with one stream.
class device_zones {
 public:
  device_zones(const benchmark& what, yoke::device& dev);

  /// A step of each zone. Asynchronous.
  void advance(yoke::stream_handle stream, const zones_there& zones);
  void make_forcing(yoke::stream_handle stream, const zones_there& zones);
  void initialize(yoke::stream_handle stream, const zones_there& zones);
  /// What each zone contributes to the norms, to xcr of the residual alone; waits for the stream.
  void norms(yoke::stream_handle stream, const zones_there& zones, std::span<zone_norms> by_zone);
  void residual_norms(yoke::stream_handle stream, const zones_there& zones, std::span<zone_norms> by_zone);

 private:
  /// A table of zones, with work memory for each of them.
  struct placed {
    placed(yoke::device& dev);
    std::vector<const double*> states;  ///< of the zones that it is for
    std::vector<zone_shape> shapes;
    device_table<device_zone> table;
    device_buffer work;
    yoke::device_ptr<const device_zone> at;
  };
  using work_size = std::function<std::size_t(const zone_shape&)>;
  zones_on_device place(placed& in, yoke::stream_handle stream, const zones_there& zones,
                        const work_size& doubles_of);
  placed& of(std::map<int, placed>& all, const zones_there& zones);
  void sum(yoke::stream_handle stream, const zones_there& zones, bool all_norms,
           std::span<zone_norms> by_zone);

  const benchmark& what_;
  yoke::device& device_;
  std::unique_ptr<device_solver> solver_;
  std::map<int, placed> steps_;  ///< by the first zone of a batch
  placed sums_;
  device_buffer sums_on_host_;
};

}  // namespace npb
