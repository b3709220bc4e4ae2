#include "device_kernels.hpp"
#include "devices.hpp"
#include "emulated_fixture.hpp"

#include <memory>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/event.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using yoke::copy_kind;
using yoke::device_ptr;

/// What the device_error of `call` says that the failure is.
template <class Call>
yoke::device_failure failure_of(const Call& call) {
  try {
    call();
  } catch (const yoke::device_error& met) {
    return met.failure();
  }
  FAIL("the call has not failed");
  return {};
}

}  // namespace

TEST_CASE("a device error says whether to go on, to try again or to give up", "[emulated]") {
  using yoke::device_failure;
  const fixture on;
  double* x = on.make(1);
  double value = 1;
  const auto copy = [&](const void* from) {
    on.device->copy(on.stream, x, from, sizeof value, copy_kind::host_to_device);
  };
  on.device->set_faults({.fail_copy = 1});
  CHECK(failure_of([&] { copy(&value); }) == device_failure::retryable);
  CHECK_NOTHROW(copy(&value));
  CHECK(failure_of([&] { copy(x); }) == device_failure::refused);
  CHECK(failure_of([&] { on.device->pin(x, 8); }) == device_failure::refused);
  CHECK(failure_of([&] {
          conformance::launch_add(*on.device, on.stream, {1, 70000}, device_ptr{x}, 1, 1);
        }) == device_failure::refused);
  CHECK(failure_of([&] { conformance::launch_use_shared(*on.device, on.stream, 1 << 20, device_ptr{x}); }) ==
        device_failure::refused);
  CHECK(failure_of([&] {
          on.device->copy_box(on.stream, {.to = x, .from = &value, .bytes = 8, .rows = 2});
        }) == device_failure::refused);
  CHECK(failure_of([] { yoke::make_emulated_device(1, {.memory = std::size_t{1} << 60}); }) ==
        device_failure::out_of_memory);
  on.device->set_faults({.lost_after = 0});
  CHECK(failure_of([&] { copy(&value); }) == device_failure::lost);
  CHECK(failure_of([&] { on.device->synchronize(); }) == device_failure::lost);
}

TEST_CASE("after a failure a stream skips what was queued, completes events and can be used again",
          "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  double value = 5;
  std::unique_ptr<conformance::blocker> hold = std::make_unique<conformance::blocker>(*on.device, on.stream);
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&value}, 1, 1);  // a host address
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  const yoke::event behind{*on.device, on.stream};
  const yoke::stream_handle other = on.device->create_stream();
  behind.before(other);
  on.device->copy(other, x, &value, 8, copy_kind::host_to_device);
  hold->release();
  CHECK_THROWS_AS(behind.wait(), yoke::usage_error);
  CHECK(behind.done());
  CHECK_THROWS_AS(on.device->synchronize(other), yoke::usage_error);
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  CHECK(on.device->statistics().copies == 0);
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  on.device->synchronize(on.stream);
  CHECK(on.device->statistics().copies == 1);
  on.device->destroy_stream(other);
}

TEST_CASE("what was queued before a failure was reported is skipped after it too", "[emulated]") {
  const fixture on;
  double value = 5;
  double* x = on.make(1);
  const yoke::stream_handle other = on.device->create_stream();
  conformance::blocker hold{*on.device, other};
  conformance::blocker start{*on.device, on.stream};
  const yoke::event released{*on.device, other};
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&value}, 1, 1);
  const yoke::event failed{*on.device, on.stream};
  released.before(on.stream);
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  start.release();
  CHECK_THROWS(failed.wait());
  CHECK_THROWS_AS(on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device), yoke::usage_error);
  hold.release();
  on.device->synchronize(on.stream);
  CHECK(on.device->statistics().copies == 0);
  on.device->destroy_stream(other);
}

TEST_CASE("the n-th allocation, copy and launch fail as asked, and only those", "[emulated]") {
  const fixture on{{.memory = 1 << 20, .fail_alloc = 2, .fail_copy = 2, .fail_launch = 1}};
  double* x = on.make(1);
  CHECK(x != nullptr);
  CHECK(on.make(1) == nullptr);
  CHECK(on.make(1) != nullptr);
  double value = 1;
  const auto copy = [&] { on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device); };
  const auto launch = [&] { conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1); };
  copy();
  CHECK_THROWS_WITH(
      copy(),
      Contains("emulated:0: copying 8 bytes from the host to the device failed: call 2 of its kind, as "
               "fail-copy=2 asks"));
  copy();
  CHECK_THROWS_WITH(launch(), Contains("launching kernel 'add' failed") && Contains("fail-launch=1"));
  launch();
  on.device->synchronize(on.stream);
  on.device->set_faults({});
  CHECK(on.make(1) != nullptr);
  CHECK(on.make(1) != nullptr);
}

TEST_CASE("the n-th call of any kind fails as asked, and only that one", "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  double value = 1;
  for (const int n : {1, 2, 3}) {
    on.device->set_faults({.fail_call = n});
    std::vector<std::string> failed;
    const auto call = [&](const auto& one) {
      try {
        one();
      } catch (const yoke::device_error& met) {
        failed.emplace_back(met.what());
      }
    };
    call([&] { on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device); });
    call([&] { on.device->synchronize(on.stream); });
    call([&] { (void)on.make(1); });
    REQUIRE(failed.size() == 1);
    CHECK_THAT(failed[0], Contains(n == 1   ? "copying 8"
                                   : n == 2 ? "waiting"
                                            : "allocating 8") &&
                              Contains("as fail-call=" + std::to_string(n) + " asks"));
  }
}

TEST_CASE("every call of a lost device fails, except those that give back", "[emulated]") {
  const fixture on;
  double* x = on.make(1);
  void* pinned = on.device->allocate_pinned(8);
  const yoke::event_handle event = on.device->create_event();
  double value = 1;
  on.device->set_faults({.lost_after = 1});
  on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device);
  const auto lost = Contains("failed: device lost, as lost-after=1 asks");
  CHECK_THROWS_WITH(on.device->synchronize(on.stream), lost);
  CHECK_THROWS_WITH(on.device->copy(on.stream, x, &value, 8, copy_kind::host_to_device), lost);
  CHECK_THROWS_WITH(conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{x}, 1, 1), lost);
  CHECK_THROWS_WITH(on.device->synchronize(), lost);
  CHECK_THROWS_WITH(on.device->allocate(8), lost);
  CHECK_THROWS_WITH(on.device->allocate_pinned(8), lost);
  CHECK_THROWS_WITH(on.device->create_stream(), lost);
  CHECK_THROWS_WITH(on.device->create_event(), lost);
  CHECK_THROWS_WITH(on.device->record(event, on.stream), lost);
  CHECK_THROWS_WITH(on.device->wait(on.stream, event), lost);
  CHECK_THROWS_WITH(on.device->synchronize(event), lost);
  CHECK_THROWS_WITH(on.device->is_done(event), lost);
  CHECK_THROWS_WITH(on.device->begin_capture(on.stream), lost);
  on.device->deallocate(x);
  on.device->deallocate_pinned(pinned);
  on.device->destroy_event(event);
  on.device->destroy_stream(on.stream);
  CHECK(on.device->statistics().bytes_allocated == 0);
  CHECK(on.device->statistics().pinned_buffers == 0);
}
