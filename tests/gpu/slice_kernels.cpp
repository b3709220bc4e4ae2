#include "slice_kernels.hpp"

namespace gpu_tests {

namespace {

constexpr int threads = 128;

struct mark_sms {
  static constexpr int block = threads;
  YOKE_HD void operator()(yoke::item, [[maybe_unused]] yoke::device_ptr<int> runs) const {
#if YOKE_CUDA_PASS
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const long long begin = clock64();
    while (clock64() - begin < 100'000) {
    }
    if (sm < most_sms) runs[sm] = 1;
#endif
  }
};

}  // namespace

void launch_mark_sms(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t blocks,
                     yoke::device_ptr<int> runs) {
  yoke::launch<mark_sms>(dev, stream, {.x = threads * blocks}, "mark_sms", runs);
}

}  // namespace gpu_tests
