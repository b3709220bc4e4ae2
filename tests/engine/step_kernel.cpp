#include "step_kernel.hpp"

#include <yoke/kernel.hpp>

namespace engine_tests {

namespace {

struct step_kernel {
  YOKE_HD void operator()(yoke::item at, step_call call) const { call.run(at.x); }
};

}  // namespace

void launch_step(yoke::device_streams& dev, yoke::stream_handle stream, std::int64_t n,
                 const step_call& call) {
  yoke::launch<step_kernel>(dev, stream, {.x = n}, "step", call);
}

}  // namespace engine_tests
