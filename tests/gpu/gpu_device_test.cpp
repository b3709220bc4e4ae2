#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <support/process.hpp>
#include <vector>

#include <yoke/event.hpp>

using namespace gpu_tests;
using yoke::copy_kind;

TEST_CASE("a device describes itself", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const yoke::device_info& info = dev->info();
  CHECK(info.name == std::string{yoke::gpu::backend_name} + ":0");
  CHECK_FALSE(info.model.empty());
  CHECK_FALSE(info.emulated);
  CHECK(info.ordinal == 0);
  CHECK(info.processors > 0);
  CHECK(info.memory > 0);
  CHECK(dev->memory_free() > 0);
  CHECK(dev->memory_free() <= info.memory);
}

TEST_CASE("a kernel runs once for every item of every row", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  for (const yoke::extent items : {yoke::extent{1, 1}, {31, 1}, {129, 3}, {1000, 257}, {3, 65535}}) {
    const device_array<double> to{*dev, static_cast<std::size_t>(items.x * items.y)};
    launch_fill(*dev, stream, items, to.pointer(), 0.5);
    const auto values = to.read(stream);
    int wrong = 0;
    for (std::int64_t y = 0; y < items.y; ++y)
      for (std::int64_t x = 0; x < items.x; ++x)
        wrong += values[static_cast<std::size_t>(y * items.x + x)] != 0.5 * double(x) + double(y);
    INFO(items.x << " x " << items.y);
    CHECK(wrong == 0);
  }
}

TEST_CASE("an empty extent launches nothing and a row too many is an error", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const device_array<double> to{*dev, 1};
  CHECK_NOTHROW(launch_fill(*dev, stream, {.x = 0}, to.pointer(), 1));
  CHECK(mentions(device_error_of([&] { launch_fill(*dev, stream, {.x = 1, .y = 65536}, to.pointer(), 1); }),
                 "kernel 'fill' over 1 x 65536 items"));
  CHECK_NOTHROW(dev->synchronize(stream));
}

TEST_CASE("arguments of all sizes arrive as they were", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const device_array<double> to{*dev, 4};
  launch_mixed(*dev, stream, to.pointer(), 'x', 0.1, -321, 2.5f);
  CHECK(to.read(stream) == std::vector<double>{'x', 0.1, -321, 2.5});
}

TEST_CASE("a kernel that asks for a block of 1024 threads gets registers that fit", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const device_array<double> to{*dev, 3000};
  launch_wide_block(*dev, stream, 3000, to.pointer());
  const auto values = to.read(stream);
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != double(i);
  CHECK(wrong == 0);
}

TEST_CASE("work on a stream is asynchronous and its event happens when it has run", "[gpu][waits]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const pinned_array<int> flag{*dev, 1};
  const device_array<int> seen{*dev, 1};
  launch_wait(*dev, stream, yoke::device_ptr<int>{flag.data()}, seen.pointer());
  const yoke::event after{*dev, stream};
  CHECK_FALSE(after.done());
  CHECK(yoke::gpu::get_last_error() == yoke::gpu::success);
  *const_cast<volatile int*>(flag.data()) = 1;
  after.wait();
  CHECK(after.done());
  CHECK(seen.read(stream) == std::vector<int>{2});
}

TEST_CASE("a stream that waits for an event runs after what the event follows", "[gpu][waits]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream first{*dev};
  const own_stream second{*dev};
  const pinned_array<int> flag{*dev, 1};
  const device_array<int> seen{*dev, 1};
  const pinned_array<int> result{*dev, 1};
  launch_wait(*dev, first, yoke::device_ptr<int>{flag.data()}, seen.pointer());
  const yoke::event_handle event = dev->create_event();
  dev->record(event, first);
  dev->wait(second, event);
  dev->copy(second, result.data(), seen.data(), sizeof(int), copy_kind::device_to_host);
  *const_cast<volatile int*>(flag.data()) = 1;
  dev->synchronize(second);
  dev->destroy_event(event);
  CHECK(*result.data() == 2);
}

TEST_CASE("exhausted memory is nullptr and leaves no error behind", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  CHECK(dev->allocate(dev->info().memory * 2) == nullptr);
  CHECK(yoke::gpu::get_last_error() == yoke::gpu::success);
  const own_stream stream{*dev};
  const device_array<double> to{*dev, 10};
  CHECK_NOTHROW(launch_fill(*dev, stream, {.x = 10}, to.pointer(), 1));
  CHECK_NOTHROW(dev->synchronize());
}

TEST_CASE("a block of memory is aligned to 256 bytes and given back when freed", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  for (const std::size_t bytes : {0, 1, 255, 257, 4097}) {
    void* const address = dev->allocate(bytes);
    CHECK(address != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(address) % 256 == 0);
    dev->deallocate(address);
  }
  const std::size_t big = dev->memory_free() / 2 + 1;
  for (int i = 0; i < 4; ++i) {
    void* const address = dev->allocate(big);
    CHECK(address != nullptr);
    dev->deallocate(address);
  }
  CHECK_NOTHROW(dev->deallocate(nullptr));
  CHECK_NOTHROW(dev->deallocate_pinned(nullptr));
}

TEST_CASE("a copy with a bad address is an error that says what was copied where", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  double host = 0;
  const auto message = device_error_of(
      [&] { dev->copy(stream, reinterpret_cast<void*>(16), &host, sizeof host, copy_kind::host_to_device); });
  INFO(message);
  CHECK(mentions(message, "ErrorInvalidValue"));
  CHECK(mentions(message, "copying 8 bytes from the host to the device"));
  CHECK(mentions(message, dev->info().name));
  CHECK(yoke::gpu::get_last_error() == yoke::gpu::success);
}

// In a process of its own: a GPU that is lost is lost for its process, whose other cases would fail.
TEST_CASE("a lost device throws from every call and never hangs", "[gpu][lost]") {
  if (!open_or_skip()) return;
  std::vector<std::string> environment;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name)) environment.push_back(std::string{name} + "=" + value);
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const support::process_result alone = support::run_process({self, "[loses-its-device]"}, environment);
  INFO(alone.output);
  CHECK(alone.status == 0);
}

TEST_CASE("in this process the device is lost", "[.][loses-its-device]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const yoke::event_handle event = dev->create_event();
  void* const block = dev->allocate(1024);
  double host = 0;
  launch_crash(*dev, stream);
  CHECK_FALSE(device_error_of([&] { dev->synchronize(stream); }).empty());

  CHECK_FALSE(device_error_of([&] { (void)dev->allocate(8); }).empty());
  CHECK_FALSE(device_error_of([&] { (void)dev->memory_free(); }).empty());
  CHECK_FALSE(device_error_of([&] { (void)dev->allocate_pinned(8); }).empty());
  CHECK_FALSE(device_error_of([&] { (void)dev->create_stream(); }).empty());
  CHECK_FALSE(
      device_error_of([&] { dev->copy(stream, block, &host, 8, copy_kind::host_to_device); }).empty());
  CHECK_FALSE(
      device_error_of([&] { launch_fill(*dev, stream, {.x = 1}, yoke::device_ptr<double>{}, 1); }).empty());
  CHECK_FALSE(device_error_of([&] { dev->synchronize(); }).empty());
  CHECK_FALSE(device_error_of([&] { dev->record(event, stream); }).empty());
  dev->destroy_event(event);
  dev->deallocate(block);
}
