#pragma once
/// A kernel that does nothing, for what it takes to launch one.

#include <yoke/device_streams.hpp>

namespace enqueues {

void launch_empty(yoke::device_streams& dev, yoke::stream_handle stream);

}  // namespace enqueues
