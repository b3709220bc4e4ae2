// What the device interface costs and reaches on the GPUs of this machine. Every timed result is checked.
// Exit status: 0, 1 when a result was wrong or a call failed, 77 without a GPU.

#include "probe_kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/gpu.hpp>

namespace {

using yoke::copy_kind;
using yoke::device;
using yoke::device_ptr;

int wrong_results = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  ++wrong_results;
  fmt::print("  WRONG: {}\n", what);
}

/// Seconds of the fastest of `repeats` runs; the first one, which pays for loading, is not counted.
double fastest(int repeats, const std::function<void()>& run) {
  double best = 1e30;
  for (int i = 0; i <= repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::min(best, took.count());
  }
  return best;
}

void report(const std::string& what, double value, const char* unit) {
  fmt::print("  {:<46}{:>10.2f} {}\n", what, value, unit);
}

/// Memory of a device, freed at the end.
class block {
 public:
  block(device& dev, std::size_t bytes) : device_{dev}, address_{dev.allocate(bytes)} {
    if (address_ == nullptr) throw yoke::device_error{fmt::format("no room for {} bytes", bytes)};
  }
  ~block() { device_.deallocate(address_); }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  device& device_;
  void* address_;
};

constexpr std::size_t copy_bytes = std::size_t{256} << 20;

void probe_host_copies(device& dev, yoke::stream_handle stream, unsigned char* host, const char* kind) {
  const block there{dev, copy_bytes};
  for (std::size_t i = 0; i < copy_bytes; ++i) host[i] = static_cast<unsigned char>(i * 7 + i / 251);
  const double up = fastest(5, [&] {
    dev.copy(stream, there.as<void>(), host, copy_bytes, copy_kind::host_to_device);
    dev.synchronize(stream);
  });
  std::memset(host, 0, copy_bytes);
  const double down = fastest(5, [&] {
    dev.copy(stream, host, there.as<void>(), copy_bytes, copy_kind::device_to_host);
    dev.synchronize(stream);
  });
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < copy_bytes; ++i)
    wrong += host[i] != static_cast<unsigned char>(i * 7 + i / 251);
  expect(wrong == 0, fmt::format("{} bytes changed on the way there and back ({})", wrong, kind));
  report(fmt::format("host to device, {}", kind), copy_bytes / up * 1e-9, "GB/s");
  report(fmt::format("device to host, {}", kind), copy_bytes / down * 1e-9, "GB/s");
}

void probe_triad(device& dev, yoke::stream_handle stream) {
  constexpr std::int64_t n = std::int64_t{1} << 26;
  const block a{dev, n * sizeof(double)};
  const block b{dev, n * sizeof(double)};
  const block c{dev, n * sizeof(double)};
  std::vector<double> host(n);
  for (std::int64_t i = 0; i < n; ++i) host[static_cast<std::size_t>(i)] = static_cast<double>(i % 1000);
  dev.copy(stream, a.as<void>(), host.data(), n * sizeof(double), copy_kind::host_to_device);
  dev.copy(stream, b.as<void>(), a.as<void>(), n * sizeof(double), copy_kind::device_to_device);
  dev.synchronize(stream);
  const double took = fastest(10, [&] {
    probe::launch_triad(dev, stream, n, device_ptr<double>{c.as<double>()},
                        device_ptr<const double>{a.as<double>()}, device_ptr<const double>{b.as<double>()},
                        2);
    dev.synchronize(stream);
  });
  dev.copy(stream, host.data(), c.as<void>(), n * sizeof(double), copy_kind::device_to_host);
  dev.synchronize(stream);
  std::size_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i)
    wrong += host[static_cast<std::size_t>(i)] != 3 * static_cast<double>(i % 1000);
  expect(wrong == 0, fmt::format("{} elements of the triad", wrong));
  report("triad in device memory (3 x 512 MiB)", 3 * n * sizeof(double) / took * 1e-9, "GB/s");
}

int counted(device& dev, yoke::stream_handle stream, const block& counter) {
  int value = -1;
  dev.copy(stream, &value, counter.as<void>(), sizeof value, copy_kind::device_to_host);
  dev.synchronize(stream);
  return value;
}

void clear(device& dev, yoke::stream_handle stream, const block& counter) {
  const int zero = 0;
  dev.copy(stream, counter.as<void>(), &zero, sizeof zero, copy_kind::host_to_device);
  dev.synchronize(stream);
}

void probe_launches(device& dev, yoke::stream_handle stream) {
  constexpr int n = 1000;
  const block counter{dev, sizeof(int)};
  const auto launch_all = [&] {
    for (int i = 0; i < n; ++i) probe::launch_count(dev, stream, device_ptr<int>{counter.as<int>()});
  };
  clear(dev, stream, counter);
  const double alone = fastest(100, [&] {
    probe::launch_count(dev, stream, device_ptr<int>{counter.as<int>()});
    dev.synchronize(stream);
  });
  expect(counted(dev, stream, counter) == 101, "single launches are missing");
  clear(dev, stream, counter);
  const double launched = fastest(5, [&] {
    launch_all();
    dev.synchronize(stream);
  });
  expect(counted(dev, stream, counter) == 6 * n, "launches are missing");
  dev.begin_capture(stream);
  launch_all();
  const yoke::graph_handle graph = dev.end_capture(stream);
  clear(dev, stream, counter);
  const double replayed = fastest(5, [&] {
    dev.replay(graph, stream);
    dev.synchronize(stream);
  });
  expect(counted(dev, stream, counter) == 6 * n, "nodes of the graph are missing");
  dev.destroy_graph(graph);
  report("one launch and the wait for it", alone * 1e6, "us");
  report("a launch among 1000", launched / n * 1e6, "us");
  report("a node of a graph of 1000", replayed / n * 1e6, "us");
}

void probe_calls(device& dev, yoke::stream_handle stream) {
  const yoke::event_handle event = dev.create_event();
  dev.record(event, stream);
  dev.synchronize(event);
  constexpr int n = 1000;
  const double asked = fastest(5, [&] {
    for (int i = 0; i < n; ++i) expect(dev.is_done(event), "an event that had happened has not");
  });
  const double recorded = fastest(5, [&] {
    for (int i = 0; i < n; ++i) dev.record(event, stream);
  });
  dev.synchronize(stream);
  dev.destroy_event(event);
  const double allocated = fastest(5, [&] { const block one{dev, std::size_t{64} << 20}; });
  report("is_done of an event", asked / n * 1e6, "us");
  report("record of an event", recorded / n * 1e6, "us");
  report("allocate and deallocate 64 MiB", allocated * 1e6, "us");
}

void probe_device(device& dev) {
  const yoke::device_info& info = dev.info();
  fmt::print("{}: {}, {} processors, {:.1f} GiB, {:.1f} GiB free\n", info.name, info.model, info.processors,
             static_cast<double>(info.memory) / (1 << 30),
             static_cast<double>(dev.memory_free()) / (1 << 30));
  const yoke::stream_handle stream = dev.create_stream();
  auto* pinned = static_cast<unsigned char*>(dev.allocate_pinned(copy_bytes));
  probe_host_copies(dev, stream, pinned, "pinned");
  dev.deallocate_pinned(pinned);
  std::vector<unsigned char> pageable(copy_bytes);
  probe_host_copies(dev, stream, pageable.data(), "pageable");
  probe_triad(dev, stream);
  probe_launches(dev, stream);
  probe_calls(dev, stream);
  dev.destroy_stream(stream);
}

void probe_pair(device& from, device& to) {
  const yoke::stream_handle stream = to.create_stream();
  const block source{from, copy_bytes};
  const block target{to, copy_bytes};
  const double took = fastest(5, [&] {
    to.copy(stream, target.as<void>(), source.as<void>(), copy_bytes, copy_kind::device_to_device);
    to.synchronize(stream);
  });
  report(fmt::format("{} to {}", from.info().name, to.info().name), copy_bytes / took * 1e-9, "GB/s");
  to.destroy_stream(stream);
}

int probe_all() {
  const yoke::backend& vendor = *yoke::find_backend(yoke::gpu::backend_name);
  std::string why;
  const int count = vendor.count(why);
  if (count == 0) {
    fmt::print("no GPU to probe: {}\n", why);
    return 77;
  }
  std::vector<std::unique_ptr<device>> devices;
  for (int i = 0; i < count; ++i) devices.push_back(vendor.open({.index = i}));
  for (const auto& dev : devices) probe_device(*dev);
  for (const auto& from : devices)
    for (const auto& to : devices)
      if (from != to) probe_pair(*from, *to);
  fmt::print("{} wrong results\n", wrong_results);
  return wrong_results == 0 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return probe_all();
  } catch (const yoke::error& error) {
    fmt::print(stderr, "gpu_probe: {}\n", error.what());
    return 1;
  }
}
