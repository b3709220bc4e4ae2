#pragma once
/// The kernels of the device conformance suite behind plain functions, so that the vendor's compiler sees
/// them without the test framework.

#include <cstdint>

#include <yoke/device.hpp>
#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

namespace conformance {

using yoke::device_ptr;

/// x[y * pitch + x] += value, for every item.
void launch_add(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                device_ptr<double> x, std::int64_t pitch, double value);
/// x[i] = 10 * y + x of the item, for rows that a table in device memory points to.
void launch_number_rows(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                        device_ptr<const device_ptr<double>> rows);
/// x[(z * ny + y) * nx + x] += 1e6 * z + 1e3 * y + x, in blocks of 8 x 4 x 2.
void launch_number_3d(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                      device_ptr<double> x);
/// x[(z * ny + y) * nx + x] += 1, in blocks as they come.
void launch_count_3d(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                     device_ptr<double> x);
/// The same without so many at the beginning of each row.
void launch_count_behind(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                         std::int64_t left_out, yoke::device_ptr<double> x);

/// Views in a struct, as a program's own type has them, and one beside it: to(y, x) = from(y, x) + 10 for
/// every item.
struct two_views {
  yoke::view<const double, 2> from;
  yoke::view<double, 2> to;
};
void launch_move(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items, two_views both);
/// sums(z, y) = the sum of u(z, y, …).
void launch_sum_last(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                     yoke::view<double, 2> sums);

/// sums(z, y) = the sum of u(z, y, …) without the first and the last, by subviews.
void launch_sum_inner(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                      yoke::view<double, 2> sums);
/// sums(z, y) = the sum of u(z, y, …), read as what no one writes, plus all of it again by its addresses.
void launch_sum_twice(yoke::device_streams& dev, yoke::stream_handle stream, yoke::view<const double, 3> u,
                      yoke::view<double, 2> sums);
/// Of each number i below `items` the values i (signed: odd ones are negative) go to element i % extent of
/// all: added up, and the smallest and the largest.
struct tallies {
  yoke::view<int, 1> ints;
  yoke::view<std::uint64_t, 1> longs;
  yoke::view<float, 1> floats;
  yoke::view<double, 1> sums, least, most;
  yoke::view<std::int64_t, 1> least_long;
};
void launch_tally(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t items,
                  const tallies& to);

/// Spins until *flag is not zero: for GPUs that read pinned host memory.
void launch_spin(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<volatile int> flag);

/// Eight lanes that want 64-byte alignment, as a pack of SIMD lanes does.
struct alignas(64) lanes {
  double of[8];
};
/// x[i] = the sum of the lanes.
void launch_sum_lanes(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                      device_ptr<double> x, lanes values);

/// x[i] = yoke::reciprocal(x[i])
void launch_invert(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                   device_ptr<double> x);
/// x[i] = yoke::quotient(x[i], y[i]), y[i] = yoke::square_root(y[i])
void launch_divide_and_root(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                            device_ptr<double> x, device_ptr<double> y);

/// Threads of a block of launch_block_sums.
inline constexpr int sum_threads = 64;
/// sums[y * blocks.x + x] = the sum of the `n` doubles of that block, halved again and again in shared memory
/// (n * sizeof(double) bytes).
void launch_block_sums(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent blocks,
                       device_ptr<const double> x, device_ptr<double> sums, int n);
/// x[t] = 100 * (t + 1) + t of the next thread, of one block: a value that each thread keeps, and one that it
/// gets from its neighbour.
void launch_pass_on(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> x);
inline constexpr int pass_on_threads = 96;
/// sums[t] = the sum over all rows of x[row * sum_threads + t of the next thread], of one block. The next row
/// is copied to shared memory while this one is added.
void launch_sum_rows(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<const double> x,
                     int rows, device_ptr<double> sums);
/// x[0] = a double of its shared memory that the kernel has not written.
void launch_read_unwritten(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> x);
/// Asks for so much shared memory, and uses its last double to set x[0] = 5.
void launch_use_shared(yoke::device_streams& dev, yoke::stream_handle stream, std::size_t shared_bytes,
                       device_ptr<double> x);
/// Block number n of `blocks` waits for number n - 1 and writes x[n * follow_threads + t] = what the next
/// thread's element of that block is, plus 1; block 0 writes t. `counters` are 1 + blocks zeros.
void launch_follow(yoke::device_streams& dev, yoke::stream_handle stream, int blocks,
                   device_ptr<int> counters, device_ptr<double> x);
inline constexpr int follow_threads = 64;
/// A block that waits for what nobody publishes: `counter` is 0.
void launch_wait_in_vain(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<int> counter);
/// Writes a double behind its shared memory.
void launch_write_behind(yoke::device_streams& dev, yoke::stream_handle stream);

}  // namespace conformance
