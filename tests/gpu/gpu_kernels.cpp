#include "gpu_kernels.hpp"

namespace gpu_tests {

using yoke::device_ptr;
using yoke::item;

namespace {

struct fill {
  YOKE_HD void operator()(item at, device_ptr<double> to, std::int64_t row, double factor) const {
    to[at.y * row + at.x] = factor * static_cast<double>(at.x) + static_cast<double>(at.y);
  }
};

struct scale {
  YOKE_HD void operator()(item at, device_ptr<double> values, double factor, double add) const {
    values[at.x] = factor * values[at.x] + add;
  }
};

struct mixed {
  YOKE_HD void operator()(item, char a, device_ptr<double> to, double b, short c, float d) const {
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = static_cast<double>(d);
  }
};

struct wait_for_flag {
  YOKE_HD void operator()(item, device_ptr<int> flag, device_ptr<int> seen) const {
    const volatile int* const watched = flag.get();
    for (std::int64_t i = 0; i < 5'000'000 && *watched == 0; ++i) {
    }
    *seen = 1 + *watched;
  }
};

struct crash {
  YOKE_HD void operator()(item at, device_ptr<double> nowhere) const {
    nowhere[at.x] = static_cast<double>(at.x);
  }
};

struct wide_block {
  static constexpr int block = 1024;
  YOKE_HD void operator()(item at, device_ptr<double> to) const {
    double live[48];
    for (int i = 0; i < 48; ++i) live[i] = static_cast<double>(at.x + i);
    for (int round = 0; round < 48; ++round)
      for (int i = 0; i < 48; ++i) live[i] += live[(i + 7) % 48] * 0.5;
    double sum = 0;
    for (int i = 0; i < 48; ++i) sum += live[i] * 0;
    to[at.x] = static_cast<double>(at.x) + sum;
  }
};

struct large_block {
  YOKE_HD void operator()(const yoke::block& b, device_ptr<double>) const {
    b.for_each_thread([&](int t) { b.shared<double>()[t] = t; });
  }
};

}  // namespace

void launch_large_block(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> values) {
  yoke::launch_blocks<large_block>(dev, stream, {.x = 1}, std::size_t{64} << 10, "large_block", values);
}

void launch_fill(yoke::device_streams& dev, yoke::stream_handle stream, yoke::extent items,
                 device_ptr<double> to, double factor) {
  yoke::launch<fill>(dev, stream, items, "fill", to, items.x, factor);
}

void launch_scale(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                  device_ptr<double> values, double factor, double add) {
  yoke::launch<scale>(dev, stream, {.x = n}, "scale", values, factor, add);
}

void launch_mixed(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<double> to, char a,
                  double b, short c, float d) {
  yoke::launch<mixed>(dev, stream, {.x = 1}, "mixed", a, to, b, c, d);
}

void launch_wait(yoke::device_streams& dev, yoke::stream_handle stream, device_ptr<int> flag,
                 device_ptr<int> seen) {
  yoke::launch<wait_for_flag>(dev, stream, {.x = 1}, "wait_for_flag", flag, seen);
}

void launch_crash(yoke::device_streams& dev, yoke::stream_handle stream) {
  yoke::launch<crash>(dev, stream, {.x = 1}, "crash", device_ptr<double>{});
}

void launch_wide_block(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                       device_ptr<double> to) {
  yoke::launch<wide_block>(dev, stream, {.x = n}, "wide_block", to);
}

}  // namespace gpu_tests
