#include "fake_hip.hpp"

#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"

#include <array>
#include <functional>
#include <set>
#include <support/errors.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <yoke/pinned_range.hpp>

// The HIP backend over a HIP runtime whose calls fail in turn. What else it does is shown by the suites that
// run over the same fake: conformance_fake_hip, gpu_device_fake_hip and the NPB-MZ programs.

using namespace gpu_tests;
using yoke::copy_kind;

namespace {

constexpr std::size_t n = 100;

std::unique_ptr<yoke::device> open(int index) { return built_backend().open({.index = index}); }

void capture_and_replay(yoke::device& dev, yoke::stream_handle stream, device_array<double>& values) {
  dev.begin_capture(stream);
  launch_scale(dev, stream, n, values.pointer(), 2, 1);
  const yoke::owned_graph graph{dev, dev.end_capture(stream)};
  dev.replay(graph, stream);
}

/// `planes` x 5 rows of a double, ten apart.
void copy_box(yoke::device& dev, yoke::stream_handle stream, double* to, const double* from,
              std::size_t planes) {
  const yoke::box_pitch pitch{.row = 10 * sizeof(double), .plane = 50 * sizeof(double)};
  dev.copy_box(stream, {.to = to,
                        .from = from,
                        .bytes = sizeof(double),
                        .rows = 5,
                        .planes = planes,
                        .to_pitch = pitch,
                        .from_pitch = pitch});
}

/// Everything a device can do, on two of them.
std::vector<double> use_all_of_a_device() {
  const auto first = open(0);
  const auto second = open(1);
  const own_stream stream{*first};
  const own_stream other{*second};
  device_array<double> values{*first, n};
  const device_array<double> there{*second, n};
  const pinned_array<double> pinned{*first, n};
  // A page of its own: what shares one with pinned memory is copied asynchronously too.
  alignas(4096) static std::array<double, 512> host{};
  const yoke::pinned_range pinned_host{*first, std::span{host}.first(n)};
  launch_fill(*first, stream, {.x = n}, values.pointer(), 3);
  launch_large_block(*first, stream, values.pointer());
  const own_stream urgent{*first, first->create_urgent_stream()};
  const yoke::owned_event begun{*first, first->create_timed_event()};
  const yoke::owned_event ended{*first, first->create_timed_event()};
  const yoke::owned_event filled{*first, first->create_event()};
  first->record(begun, stream);
  first->record(filled, stream);
  first->wait(urgent, filled);
  second->wait(other, filled);
  second->copy(other, there.data(), values.data(), n * sizeof(double), copy_kind::device_to_device);
  copy_box(*second, other, there.data(), values.data(), 1);
  copy_box(*second, other, there.data(), values.data(), 2);
  second->copy(other, pinned.data(), there.data(), n * sizeof(double), copy_kind::device_to_host);
  second->synchronize(other);
  first->synchronize(filled);
  (void)first->is_done(filled);
  capture_and_replay(*first, stream, values);
  first->record(ended, stream);
  (void)first->memory_free();
  first->synchronize();
  (void)first->seconds_between(begun, ended);
  return {pinned.data()[1], pinned.data()[n - 1], values.read(stream)[1]};
}

/// What the message of a failed call says; nothing for calls whose failure changes nothing: those that give
/// back, and questions that have another way to the answer.
struct failure {
  const char* call;
  const char* intent;
};
constexpr std::array failures{
    failure{"hipDeviceCanAccessPeer", ""},
    failure{"hipDeviceEnablePeerAccess", "while giving hip:"},
    failure{"hipDeviceGetStreamPriorityRange", "while asking for the priorities of streams on hip:0"},
    failure{"hipDeviceSynchronize", "while waiting for the device on hip:0"},
    failure{"hipEventCreateWithFlags", "while creating an event on hip:0"},
    failure{"hipEventDestroy", ""},
    failure{"hipEventElapsedTime", "while asking for the time between events on hip:0"},
    failure{"hipEventQuery", "while asking whether an event has happened on hip:0"},
    failure{"hipEventRecord", "while recording an event on hip:0"},
    failure{"hipEventSynchronize", "while waiting for an event on hip:0"},
    failure{"hipFree", ""},
    failure{"hipFuncSetAttribute", "while allowing shared memory: launching kernel 'large_block'"},
    failure{"hipGetDevice", ""},
    failure{"hipGetDeviceCount", "no such device; the driver cannot list its GPUs: hipErrorLaunchFailure"},
    failure{"hipGetDeviceProperties", "while asking for the properties of hip:"},
    failure{"hipGraphDestroy", ""},
    failure{"hipGraphExecDestroy", ""},
    failure{"hipGraphInstantiateWithFlags", "while making a graph ready to run on hip:0"},
    failure{"hipGraphLaunch", "while replaying a graph on hip:0"},
    failure{"hipHostFree", ""},
    failure{"hipHostMalloc", "while allocating 800 bytes of pinned host memory for hip:0"},
    failure{"hipHostRegister", "while pinning 800 bytes of host memory at 0x"},
    failure{"hipHostUnregister", ""},
    failure{"hipLaunchKernel", "while launching kernel '"},
    failure{"hipMalloc", "while allocating 800 bytes on hip:"},
    failure{"hipMemGetInfo", "on hip:"},
    failure{"hipMemcpy2DAsync", "while copying 1 x 5 rows of 8 bytes from device to device on hip:1"},
    failure{"hipMemcpy3DAsync", "while copying 2 x 5 rows of 8 bytes from device to device on hip:1"},
    failure{"hipMemcpyAsync", "while copying 800 bytes from"},
    failure{"hipSetDevice", " hip:"},
    failure{"hipStreamBeginCapture", "while beginning to capture a stream on hip:0"},
    failure{"hipStreamCreateWithFlags", "while creating a stream on hip:"},
    failure{"hipStreamCreateWithPriority", "while creating a stream on hip:0"},
    failure{"hipStreamDestroy", ""},
    failure{"hipStreamEndCapture", "while ending the capture of a stream on hip:0"},
    failure{"hipStreamSynchronize", "while waiting for a stream on hip:"},
    failure{"hipStreamWaitEvent", "while making a stream wait for an event on hip:"},
};

const failure* expected_of(const std::string& call) {
  for (const failure& each : failures)
    if (each.call == call) return &each;
  return nullptr;
}

/// The message of what use_all_of_a_device throws; empty when it gets through.
std::string message_of_use() {
  try {
    (void)use_all_of_a_device();
  } catch (const yoke::error& failed) {
    return failed.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every call of HIP may fail: the error says what was tried, and nothing is left", "[fake-hip]") {
  (void)use_all_of_a_device();
  std::set<std::string> met;
  for (std::int64_t k = 1;; ++k) {
    fake_hip::fail_call(k);
    const std::string message = message_of_use();
    const std::string call = fake_hip::failed_call();
    fake_hip::fail_call(0);
    if (call.empty()) break;
    CAPTURE(k, call, message);
    const failure* const expected = expected_of(call);
    REQUIRE(expected != nullptr);
    // hipSetDevice matters where something is to be done, not where something is given back.
    if (call != "hipSetDevice") CHECK(message.empty() == std::string{expected->intent}.empty());
    if (!message.empty()) CHECK(mentions(message, "hipErrorLaunchFailure (as the fake says)"));
    if (!message.empty()) CHECK(mentions(message, expected->intent));
    CHECK(fake_hip::left_behind() == "");
    CHECK(yoke::gpu::get_last_error() == yoke::gpu::success);
    met.insert(call);
  }
  CHECK(met.size() == failures.size());
  CHECK(use_all_of_a_device() == std::vector<double>{3, 3 * (n - 1), 7});
}

TEST_CASE("a device that is lost at any call ends in an error, without a hang, and all is given back",
          "[fake-hip]") {
  for (std::int64_t k = 1;; ++k) {
    fake_hip::fail_call(k, true);
    const std::string message = message_of_use();
    const bool reached = !fake_hip::failed_call().empty();
    const std::string call = fake_hip::failed_call();
    fake_hip::fail_call(0);
    (void)yoke::gpu::get_last_error();
    if (!reached) break;
    CAPTURE(k, call, message);
    CHECK(fake_hip::left_behind() == "");
    const bool matters = call != "hipSetDevice" && expected_of(call)->intent[0] != '\0';
    if (matters) CHECK(mentions(message, "hipErrorLaunchFailure"));
  }
  CHECK(use_all_of_a_device() == std::vector<double>{3, 3 * (n - 1), 7});
}

TEST_CASE("the error of a failed call says what HIP's code means", "[fake-hip]") {
  using yoke::device_failure;
  const auto dev = open(0);
  const own_stream stream{*dev};
  device_array<double> values{*dev, n};
  double host = 0;
  const auto failure = [](const auto& call) {
    try {
      call();
    } catch (const yoke::device_error& met) {
      return met.failure();
    }
    FAIL("the call has not failed");
    return device_failure::other;
  };
  const auto write = [&](void* to) { dev->copy(stream, to, &host, sizeof host, copy_kind::host_to_device); };
  const auto fail_with = [&](hipError_t code) {
    fake_hip::fail_call(2, false, code);  // the first call asks for the current device
    const device_failure found = failure([&] { write(values.data()); });
    fake_hip::fail_call(0);
    return found;
  };
  CHECK(fail_with(hipErrorLaunchFailure) == device_failure::lost);
  CHECK(fail_with(hipErrorIllegalAddress) == device_failure::lost);
  CHECK(fail_with(hipErrorOutOfMemory) == device_failure::out_of_memory);
  CHECK(fail_with(hipErrorNotReady) == device_failure::retryable);
  CHECK(fail_with(hipErrorInvalidValue) == device_failure::refused);
  CHECK(fail_with(hipErrorNoBinaryForGpu) == device_failure::refused);
  CHECK(fail_with(hipErrorUnknown) == device_failure::other);
  CHECK(failure([&] { write(&host); }) == device_failure::refused);
  const yoke::owned_event never{*dev, dev->create_timed_event()};
  CHECK(failure([&] { (void)dev->seconds_between(never, never); }) == device_failure::refused);
  CHECK_NOTHROW(write(values.data()));
}

TEST_CASE("in a forked child no call reaches the vendor", "[fake-hip]") {
  const auto dev = open(0);
  const own_stream stream{*dev};
  const yoke::owned_event event{*dev, dev->create_event()};
  const device_array<double> values{*dev, n};
  const pid_t child = fork();
  if (child == 0) {
    fake_hip::fail_call(0);  // counts calls from here
    int refused = 0;
    const std::function<void()> operations[] = {[&] { dev->synchronize(); }, [&] { (void)dev->allocate(8); },
                                                [&] { dev->record(event, stream); },
                                                [&] { (void)dev->memory_free(); }};
    for (const auto& operation : operations) {
      try {
        operation();
      } catch (const yoke::usage_error&) {
        ++refused;
      }
    }
    dev->deallocate(values.data());
    dev->destroy_event(event);
    dev->destroy_stream(stream);
    _exit(refused == 4 && fake_hip::calls() == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a device describes itself with the limits that HIP reports", "[fake-hip]") {
  const auto dev = open(0);
  CHECK(dev->info().name == "hip:0");
  CHECK(dev->info().model == "a GPU that is made up");
  CHECK(dev->info().shared_memory == fake_hip::shared_memory);
  CHECK(dev->info().memory == fake_hip::memory);
  CHECK(dev->info().processors == 60);
}
