#pragma once
/// The kernels of the device conformance suite behind plain functions, so that the vendor's compiler sees
/// them without the test framework.

#include <cstdint>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace conformance {

using yoke::device_ptr;

/// x[y * pitch + x] += value, for every item.
void launch_add(yoke::device& dev, yoke::stream_handle stream, yoke::extent items, device_ptr<double> x,
                std::int64_t pitch, double value);
/// x[i] = 10 * y + x of the item, for rows that a table in device memory points to.
void launch_number_rows(yoke::device& dev, yoke::stream_handle stream, yoke::extent items,
                        device_ptr<const device_ptr<double>> rows);
/// Spins until *flag is not zero: for GPUs that read pinned host memory.
void launch_spin(yoke::device& dev, yoke::stream_handle stream, device_ptr<volatile int> flag);

/// Eight lanes that want 64-byte alignment, as a pack of SIMD lanes does.
struct alignas(64) lanes {
  double of[8];
};
/// x[i] = the sum of the lanes.
void launch_sum_lanes(yoke::device& dev, yoke::stream_handle stream, yoke::extent items, device_ptr<double> x,
                      lanes values);

}  // namespace conformance
