#include "probe_kernels.hpp"

namespace probe {

namespace {

struct triad {
  static constexpr int block = 256;
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> c, yoke::device_ptr<const double> a,
                          yoke::device_ptr<const double> b, double factor) const {
    c[at.x] = a[at.x] + factor * b[at.x];
  }
};

struct count {
  YOKE_HD void operator()(yoke::item, yoke::device_ptr<int> counter) const { *counter = *counter + 1; }
};

}  // namespace

void launch_triad(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                  yoke::device_ptr<double> c, yoke::device_ptr<const double> a,
                  yoke::device_ptr<const double> b, double factor) {
  yoke::launch<triad>(dev, stream, {.x = n}, "triad", c, a, b, factor);
}

void launch_count(yoke::device_streams& dev, yoke::stream_handle stream, yoke::device_ptr<int> counter) {
  yoke::launch<count>(dev, stream, {.x = 1}, "count", counter);
}

}  // namespace probe
