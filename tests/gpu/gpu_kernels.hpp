#pragma once
/// Kernels of the GPU tests, behind plain functions: the tests themselves are compiled as C++.

#include <cstdint>

#include <yoke/kernel.hpp>

namespace gpu_tests {

/// to[y * items.x + x] = factor * x + y.
void launch_fill(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                 yoke::device_ptr<double> to, double factor);
/// values[x] = factor * values[x] + add.
void launch_scale(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                  yoke::device_ptr<double> values, double factor, double add);
/// The arguments have sizes and alignments that leave holes between them; `to` receives all four.
void launch_mixed(yoke::device_streams& dev, yoke::stream_handle stream, yoke::device_ptr<double> to, char a,
                  double b, short c, float d);
/// Runs until `flag` is not zero, for a few seconds at most, then sets `seen`.
void launch_wait(yoke::device_streams& dev, yoke::stream_handle stream, yoke::device_ptr<int> flag,
                 yoke::device_ptr<int> seen);
/// Writes to address 0: the device is lost to this process.
void launch_crash(yoke::device_streams& dev, yoke::stream_handle stream);
/// As launch_fill, in blocks of 1024 threads and with many live values in each.
void launch_wide_block(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                       yoke::device_ptr<double> to);
/// A block with 64 KiB of shared memory, more than CUDA gives without being asked.
void launch_large_block(yoke::device_streams& dev, yoke::stream_handle stream,
                        yoke::device_ptr<double> values);

}  // namespace gpu_tests
