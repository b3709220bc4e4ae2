#include "device_kernels.hpp"

#include <yoke/async_copy.hpp>
#include <yoke/block_order.hpp>
#include <yoke/reciprocal.hpp>

namespace conformance {

namespace {

using yoke::item;

struct add {
  YOKE_HD void operator()(item at, device_ptr<double> x, std::int64_t pitch, double value) const {
    x[at.y * pitch + at.x] += value;
  }
};

struct number_rows {
  static constexpr int block = 64;
  YOKE_HD void operator()(item at, device_ptr<const device_ptr<double>> rows) const {
    rows[at.y][at.x] = 10.0 * static_cast<double>(at.y) + static_cast<double>(at.x);
  }
};

struct number_3d {
  static constexpr yoke::block_shape block{8, 4, 2};
  YOKE_HD void operator()(yoke::item_3d at, device_ptr<double> x, std::int64_t nx, std::int64_t ny) const {
    x[(at.z * ny + at.y) * nx + at.x] +=
        1e6 * static_cast<double>(at.z) + 1e3 * static_cast<double>(at.y) + static_cast<double>(at.x);
  }
};

struct count_3d {
  YOKE_HD void operator()(yoke::item_3d at, device_ptr<double> x, std::int64_t nx, std::int64_t ny) const {
    x[(at.z * ny + at.y) * nx + at.x] += 1;
  }
};

struct spin {
  YOKE_HD void operator()(item, device_ptr<volatile int> flag) const {
#if YOKE_DEVICE_PASS
    while (*flag == 0) {
    }
#else  // a device that is made of threads: volatile orders nothing between these
    while (__atomic_load_n(flag.get(), __ATOMIC_ACQUIRE) == 0) {
    }
#endif
  }
};

struct sum_lanes {
  YOKE_HD void operator()(item at, device_ptr<double> x, const lanes& values) const {
    double sum = 0;
    for (double value : values.of) sum += value;
    x[at.x] = sum;
  }
};

struct invert {
  YOKE_HD void operator()(item at, device_ptr<double> x) const { x[at.x] = yoke::reciprocal(x[at.x]); }
};

struct divide_and_root {
  YOKE_HD void operator()(item at, device_ptr<double> x, device_ptr<double> y) const {
    x[at.x] = yoke::quotient(x[at.x], y[at.x]);
    y[at.x] = yoke::square_root(y[at.x]);
  }
};

struct block_sums {
  static constexpr int block = sum_threads;
  YOKE_HD void operator()(const yoke::block& b, device_ptr<const double> x, device_ptr<double> sums, int n,
                          std::int64_t blocks_in_row) const {
    auto* part = b.shared<double>();
    const std::int64_t number = b.y * blocks_in_row + b.x;
    b.for_each(n, [&](int i) { part[i] = x[number * n + i]; });
    for (int left = n; left > 1;) {
      const int half = (left + 1) / 2;
      b.for_each(left - half, [&](int i) { part[i] += part[half + i]; });
      left = half;
    }
    b.for_each(1, [&](int) { sums[number] = part[0]; });
  }
};

struct sum_rows {
  static constexpr int block = sum_threads;
  YOKE_HD void operator()(const yoke::block& b, device_ptr<const double> x, int rows,
                          device_ptr<double> sums) const {
    auto* const buffers = b.shared<double>();
    yoke::per_thread<double, block> sum;
    b.for_each_thread([&](int t) {
      sum[t] = 0;
      copy_row(buffers, x, 0, t);
    });
    for (int row = 0; row < rows; ++row) {
      b.for_each_thread([&](int t) {
        if (row + 1 < rows)
          copy_row(buffers, x, row + 1, t);
        else
          yoke::close_group();
        yoke::wait_for_groups<1>();
      });
      b.for_each_thread([&](int t) { sum[t] += buffers[row % 2 * block + (t + 1) % block]; });
    }
    b.for_each_thread([&](int t) { sums[t] = sum[t]; });
  }
  YOKE_HD static void copy_row(double* buffers, device_ptr<const double> x, int row, int t) {
    yoke::start_copy(buffers + row % 2 * block + t, &x[row * block + t]);
    yoke::close_group();
  }
};

struct pass_on {
  static constexpr int block = pass_on_threads;
  static constexpr int min_blocks = 2;
  YOKE_HD void operator()(const yoke::block& b, device_ptr<double> x) const {
    auto* of_thread = b.shared<double>();
    yoke::per_thread<double, block> kept;
    b.for_each_thread([&](int t) {
      kept[t] = 100.0 * (t + 1);
      of_thread[t] = t;
    });
    b.for_each_thread([&](int t) { x[t] = kept[t] + of_thread[(t + 1) % b.n_threads]; });
  }
};

struct follow {
  static constexpr int block = follow_threads;
  YOKE_HD void operator()(const yoke::block& b, device_ptr<int> counters, device_ptr<double> x) const {
    auto* number = b.shared<int>();
    b.for_each(1, [&](int) { *number = yoke::take_number(counters); });
    const int n = *number;
    if (n > 0) b.for_each(1, [&](int) { yoke::wait_for(counters + n, 1); });
    b.for_each_thread(
        [&](int t) { x[n * block + t] = n == 0 ? t : x[(n - 1) * block + (t + 1) % block] + 1; });
    b.for_each(1, [&](int) { yoke::publish(counters + n + 1, 1); });
  }
};

struct wait_in_vain {
  YOKE_HD void operator()(const yoke::block& b, device_ptr<int> counter) const {
    b.for_each(1, [&](int) { yoke::wait_for(counter, 3); });
  }
};

struct read_unwritten {
  YOKE_HD void operator()(const yoke::block& b, device_ptr<double> x) const {
    b.for_each(1, [&](int) { x[0] = b.shared<double>()[1]; });
  }
};

struct use_shared {
  static constexpr int block = 32;
  YOKE_HD void operator()(const yoke::block& b, device_ptr<double> x) const {
    double& last = b.shared<double>()[b.shared_bytes / sizeof(double) - 1];
    b.for_each(1, [&](int) { last = 5; });
    b.for_each_thread([&](int t) {
      if (t == b.n_threads - 1) x[0] = last;
    });
  }
};

struct write_behind {
  YOKE_HD void operator()(const yoke::block& b) const {
    b.for_each(1, [&](int) { b.shared<double>()[b.shared_bytes / sizeof(double)] = 1; });
  }
};

}  // namespace

void launch_block_sums(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent blocks,
                       device_ptr<const double> x, device_ptr<double> sums, int n) {
  yoke::launch_blocks<block_sums>(dev, stream, blocks, static_cast<std::size_t>(n) * sizeof(double),
                                  "block_sums", x, sums, n, blocks.x);
}

void launch_pass_on(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> x) {
  yoke::launch_blocks<pass_on>(dev, stream, {.x = 1}, pass_on_threads * sizeof(double), "pass_on", x);
}

void launch_sum_rows(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<const double> x,
                     int rows, device_ptr<double> sums) {
  yoke::launch_blocks<sum_rows>(dev, stream, {.x = 1}, 2 * sum_threads * sizeof(double), "sum_rows", x, rows,
                                sums);
}

void launch_read_unwritten(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> x) {
  yoke::launch_blocks<read_unwritten>(dev, stream, {.x = 1}, 2 * sizeof(double), "read_unwritten", x);
}

void launch_use_shared(yoke::device_streams& dev, yoke::stream_handle stream, std::size_t shared_bytes,
                       device_ptr<double> x) {
  yoke::launch_blocks<use_shared>(dev, stream, {.x = 1}, shared_bytes, "use_shared", x);
}

void launch_follow(yoke::device_streams& dev, yoke::stream_handle stream, int blocks,
                   device_ptr<int> counters, device_ptr<double> x) {
  yoke::launch_blocks<follow>(dev, stream, {.x = blocks}, 16, "follow", counters, x);
}

void launch_wait_in_vain(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<int> counter) {
  yoke::launch_blocks<wait_in_vain>(dev, stream, {.x = 1}, 16, "wait_in_vain", counter);
}

void launch_write_behind(yoke::device_streams& dev, yoke::stream_handle stream) {
  yoke::launch_blocks<write_behind>(dev, stream, {.x = 1}, 16 * sizeof(double), "write_behind");
}

void launch_add(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                device_ptr<double> x, std::int64_t pitch, double value) {
  yoke::launch<add>(dev, stream, items, "add", x, pitch, value);
}

void launch_number_rows(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                        device_ptr<const device_ptr<double>> rows) {
  yoke::launch<number_rows>(dev, stream, items, "number_rows", rows);
}

void launch_number_3d(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                      device_ptr<double> x) {
  yoke::launch_3d<number_3d>(dev, stream, items, "number_3d", x, items.x, items.y);
}

void launch_count_3d(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                     device_ptr<double> x) {
  yoke::launch_3d<count_3d>(dev, stream, items, "count_3d", x, items.x, items.y);
}

void launch_count_behind(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent_3d items,
                         std::int64_t left_out, device_ptr<double> x) {
  auto storage = yoke::detail::make_pack(x, items.x, items.y);
  yoke::kernel_call call = yoke::make_kernel_call_3d<count_3d>("count_3d", items, storage);
  call.left_out = left_out;
  dev.launch(stream, call);
}

void launch_spin(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<volatile int> flag) {
  yoke::launch<spin>(dev, stream, {.x = 1}, "spin", flag);
}

void launch_sum_lanes(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                      device_ptr<double> x, lanes values) {
  yoke::launch<sum_lanes>(dev, stream, items, "sum_lanes", x, values);
}

void launch_invert(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                   device_ptr<double> x) {
  yoke::launch<invert>(dev, stream, items, "invert", x);
}

void launch_divide_and_root(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                            device_ptr<double> x, device_ptr<double> y) {
  yoke::launch<divide_and_root>(dev, stream, items, "divide and root", x, y);
}

}  // namespace conformance
