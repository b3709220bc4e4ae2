#include "device_kernels.hpp"

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

struct spin {
  YOKE_HD void operator()(item, device_ptr<volatile int> flag) const {
    while (*flag == 0) {
    }
  }
};

struct sum_lanes {
  YOKE_HD void operator()(item at, device_ptr<double> x, const lanes& values) const {
    double sum = 0;
    for (double value : values.of) sum += value;
    x[at.x] = sum;
  }
};

}  // namespace

void launch_add(yoke::device& dev, yoke::stream_handle stream, yoke::extent items, device_ptr<double> x,
                std::int64_t pitch, double value) {
  yoke::launch<add>(dev, stream, items, "add", x, pitch, value);
}

void launch_number_rows(yoke::device& dev, yoke::stream_handle stream, yoke::extent items,
                        device_ptr<const device_ptr<double>> rows) {
  yoke::launch<number_rows>(dev, stream, items, "number_rows", rows);
}

void launch_spin(yoke::device& dev, yoke::stream_handle stream, device_ptr<volatile int> flag) {
  yoke::launch<spin>(dev, stream, {.x = 1}, "spin", flag);
}

void launch_sum_lanes(yoke::device& dev, yoke::stream_handle stream, yoke::extent items, device_ptr<double> x,
                      lanes values) {
  yoke::launch<sum_lanes>(dev, stream, items, "sum_lanes", x, values);
}

}  // namespace conformance
