#include "device_kernels.hpp"

#include <yoke/atomic.hpp>

namespace conformance {

namespace {

using yoke::item;

struct tally {
  YOKE_HD void operator()(item at, const tallies& to) const {
    const std::int64_t to_add = at.x % 2 == 0 ? at.x : -at.x;
    const yoke::loop_index<1> of{at.x % to.ints.extent(0)};
    yoke::atomic_add(to.ints, of, static_cast<int>(to_add));
    yoke::atomic_add(to.longs, of, static_cast<std::uint64_t>(at.x) << 32);
    yoke::atomic_add(to.floats, of, 0.5F);
    yoke::atomic_add(to.sums, of, static_cast<double>(to_add));
    yoke::atomic_min(to.least, of, static_cast<double>(to_add));
    yoke::atomic_max(to.most, of, static_cast<double>(to_add));
    yoke::atomic_min(to.least_long, of, to_add << 32);
  }
};

}  // namespace

void launch_tally(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t items,
                  const tallies& to) {
  yoke::launch<tally>(dev, stream, {.x = items}, "tally", to);
}

}  // namespace conformance
