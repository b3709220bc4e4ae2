#include "devices.hpp"

#include "device_kernels.hpp"

#include <atomic>
#include <latch>
#include <new>
#include <support/catch.hpp>
#include <support/failing_device.hpp>
#include <utility>

#include <yoke/backends.hpp>
#include <yoke/device_arena.hpp>
#include <yoke/error.hpp>
#include <yoke/forwarding_device.hpp>
#include <yoke/settings.hpp>

namespace conformance {

namespace {

/// A slice, a memory space or a wrapper, with the device that it is on.
class part_of_device final : public yoke::forwarding_device {
 public:
  part_of_device(std::shared_ptr<yoke::device> whole, std::unique_ptr<yoke::device> part)
      : forwarding_device{*part}, whole_{std::move(whole)}, part_{std::move(part)} {}

 private:
  std::shared_ptr<yoke::device> whole_;
  std::unique_ptr<yoke::device> part_;
};

const yoke::backend& backend_of(const std::string& kind) {
  const yoke::backend* const found = yoke::find_backend(kind.substr(0, kind.find_first_of("/*+")));
  REQUIRE(found != nullptr);
  return *found;
}

/// "emulated", "emulated/2" for a slice, "emulated*2" for a memory space, or "emulated+failing" within a
/// wrapper; nullptr after saying why it is not there.
std::unique_ptr<yoke::device> open(const std::string& kind, int index) {
  const yoke::backend& of = backend_of(kind);
  std::unique_ptr<yoke::device> whole = of.open({.index = index}, yoke::sourced{"memory=64MiB", "test"});
  if (kind == of.name) return whole;
  std::shared_ptr<yoke::device> shared = std::move(whole);
  if (kind.find('+') != std::string::npos)
    return std::make_unique<part_of_device>(shared, std::make_unique<support::failing_device>(*shared));
  if (kind.find('*') != std::string::npos) {
    const yoke::device_request request{.of = &of, .index = index, .spaces = 2, .space = 1};
    return std::make_unique<yoke::device_arena>(shared, request);
  }
  try {
    const yoke::device_request request{.of = &of, .index = index, .parts = 2, .part = 1};
    return std::make_unique<part_of_device>(shared, std::move(of.split(*shared, {&request, 1}).front()));
  } catch (const yoke::config_error& no_slices) {
    support::skip(no_slices.what());
    return nullptr;
  }
}

}  // namespace

const std::vector<std::string>& usable_backends() {
  static const std::vector<std::string> names = [] {
    // By default CUDA loads a kernel at its first launch, and may wait for all running ones to do so: behind
    // a blocker for ever.
    yoke::detail::set_environment("CUDA_MODULE_LOADING", "EAGER");
    std::vector<std::string> found;
    for (const yoke::backend& each : yoke::all_backends()) {
      std::string why;
      if (each.count(why) > 0) {
        for (const char* const part : {"", "/2", "*2", "+failing"})
          if (const std::string kind = std::string{each.name} + part; open(kind, 0)) found.push_back(kind);
      } else {
        support::skip("devices of " + std::string{each.name} + ": " + why);
      }
    }
    return found;
  }();
  return names;
}

std::unique_ptr<yoke::device> open_device(const std::string& backend, int index) {
  return open(backend, index);
}

std::unique_ptr<yoke::device> open_second_device(const std::string& backend) {
  std::string why;
  if (backend_of(backend).count(why) >= 2) return open_device(backend, 1);
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
