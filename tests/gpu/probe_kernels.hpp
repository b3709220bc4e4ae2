#pragma once

#include <cstdint>

#include <yoke/kernel.hpp>

namespace probe {

/// c[x] = a[x] + factor * b[x].
void launch_triad(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                  yoke::device_ptr<double> c, yoke::device_ptr<const double> a,
                  yoke::device_ptr<const double> b, double factor);
/// counter += 1.
void launch_count(yoke::device_streams& dev, yoke::stream_handle stream, yoke::device_ptr<int> counter);

}  // namespace probe
