#pragma once
/// What a GPU CU does with zones.

#include "common/solver.hpp"
#include "driver/faces/device_buffer.hpp"
#include "host_team.hpp"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <yoke/device.hpp>

namespace npb {

/// Zones whose fields are in the memory of `dev`, in the order of their numbers.
struct zones_there {
  yoke::device& dev;
  yoke::stream_handle stream;
  zones_on_host zones;
};

/// Work memory of batches, by device and zones: recordings of the same steps use the same.
class kept_work {
 public:
  /// What is there for these zones, as long as somebody has it, or what `make` returns.
  std::shared_ptr<const device_buffer> get(const zones_there& batch,
                                           const std::function<device_buffer()>& make);

 private:
  std::map<std::pair<yoke::device*, std::vector<int>>, std::weak_ptr<const device_buffer>> all_;
};

/// Makes table and work memory of a batch, which live as long as what it returns: that launches a step of
/// each zone. Waits for the stream. Errors: out_of_memory.
std::function<void(yoke::stream_handle)> prepare_steps(const benchmark& what, const zones_there& batch,
                                                       kept_work& work);

/// The initial state of each zone, and its forcing where that is wanted. Waits.
void start(const benchmark& what, const zones_there& batch, bool with_forcing);
/// What each zone contributes to the norms, or to xcr of the residual alone. Waits.
void sum_norms(const benchmark& what, const zones_there& batch, bool all, std::span<zone_norms> by_zone);

}  // namespace npb
