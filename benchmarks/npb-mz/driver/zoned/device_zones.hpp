#pragma once
/// What a GPU CU does with zones.

#include "common/solver.hpp"
#include "host_team.hpp"

#include <functional>
#include <span>

#include <yoke/device.hpp>

namespace npb {

/// Zones whose fields are in the memory of `dev`, in the order of their numbers.
struct zones_there {
  yoke::device& dev;
  yoke::stream_handle stream;
  zones_on_host zones;
};

/// Makes table and work memory of a batch, which live as long as what it returns: that launches a step of
/// each zone. Waits for the stream. Errors: out_of_memory.
std::function<void(yoke::stream_handle)> prepare_steps(const benchmark& what, const zones_there& batch);

/// The initial state of each zone, and its forcing where that is wanted. Waits.
void start(const benchmark& what, const zones_there& batch, bool with_forcing);
/// What each zone contributes to the norms, or to xcr of the residual alone. Waits.
void sum_norms(const benchmark& what, const zones_there& batch, bool all, std::span<zone_norms> by_zone);

}  // namespace npb
