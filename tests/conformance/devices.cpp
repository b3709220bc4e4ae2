#include "devices.hpp"

#include "device_kernels.hpp"

#include <atomic>
#include <latch>
#include <new>
#include <support/catch.hpp>

#include <yoke/backends.hpp>
#include <yoke/settings.hpp>

namespace conformance {

const std::vector<std::string>& usable_backends() {
  static const std::vector<std::string> names = [] {
    // By default CUDA loads a kernel at its first launch, and may wait for all running ones to do so: behind
    // a blocker for ever.
    yoke::detail::set_environment("CUDA_MODULE_LOADING", "EAGER");
    std::vector<std::string> found;
    for (const yoke::backend& each : yoke::all_backends()) {
      std::string why;
      if (each.count(why) > 0) {
        found.emplace_back(each.name);
      } else {
        support::skip("devices of " + std::string{each.name} + ": " + why);
      }
    }
    return found;
  }();
  return names;
}

std::unique_ptr<yoke::device> open_device(const std::string& backend, int index) {
  const yoke::backend* const found = yoke::find_backend(backend);
  REQUIRE(found != nullptr);
  return found->open({.index = index}, yoke::sourced{"memory=64MiB", "test"});
}

std::unique_ptr<yoke::device> open_second_device(const std::string& backend) {
  std::string why;
  if (yoke::find_backend(backend)->count(why) >= 2) return open_device(backend, 1);
  support::skip("two devices of " + backend + ": there is one");
  return nullptr;
}

/// A GPU spins on pinned memory that it reads; the emulated device sleeps on a latch, through a host entry
/// that is given a host address past device_ptr's check.
struct blocker::state {
  std::latch released{1};
  int* flag = nullptr;
};

blocker::blocker(yoke::device& dev, yoke::stream_handle stream)
    : device_{dev}, state_{std::make_unique<state>()} {
  if (dev.info().emulated) {
    std::latch* released = &state_->released;
    dev.launch(stream, {.name = "blocker",
                        .items = {.x = 1},
                        .host_entry =
                            [](const void* arguments, const yoke::item_range&) {
                              (*static_cast<std::latch* const*>(arguments))->wait();
                            },
                        .arguments = &released,
                        .argument_bytes = sizeof released});
  } else {
    state_->flag = new (dev.allocate_pinned(sizeof(int))) int{0};
    launch_spin(dev, stream, device_ptr<volatile int>{state_->flag});
  }
}

void blocker::release() {
  if (!state_->released.try_wait()) state_->released.count_down();
  if (state_->flag != nullptr) std::atomic_ref{*state_->flag}.store(1);
}

blocker::~blocker() {
  release();
  device_.synchronize();  // the kernel still looks at the state after it was released
  if (state_->flag != nullptr) device_.deallocate_pinned(state_->flag);
}

}  // namespace conformance
