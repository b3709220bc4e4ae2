#pragma once
/// Which SMs of a GPU run a kernel.

#include <cstdint>

#include <yoke/kernel.hpp>

namespace gpu_tests {

/// runs[s] = 1 for every SM s that a block runs on; `runs` has most_sms elements. There are `blocks` blocks,
/// each of which takes some 50 us, so that all SMs that may get blocks do.
void launch_mark_sms(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t blocks,
                     yoke::device_ptr<int> runs);
inline constexpr int most_sms = 1024;

}  // namespace gpu_tests
