#pragma once
/// Devices, fields on them, and their bits.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/device.hpp>
#include <yoke/kernel.hpp>

namespace support {

/// Of numbers: a state that has diverged to infinity or NaN compares equal to nothing.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::all_of(a, [](double x) { return std::isfinite(x); }) && a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// body(device): on one of each backend, with little memory; says so where there is none.
template <class Body>
void on_every_device(const Body& body) {
  for (const yoke::backend& backend : yoke::all_backends()) {
    std::string why;
    if (backend.count(why) == 0) {
      support::skip("devices of " + std::string{backend.name} + ": " + why);
      continue;
    }
    INFO(backend.name);
    const auto dev = backend.open({.index = 0}, yoke::sourced{"memory=256MiB", "test"});
    body(*dev);
  }
}

/// Allocations and a stream of one device, given back at the end.
class device_memory {
 public:
  explicit device_memory(yoke::device& dev) : dev_{dev}, stream_{dev.create_stream()} {}
  ~device_memory() {
    for (void* p : all_) dev_.deallocate(p);
    dev_.destroy_stream(stream_);
  }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  template <class T>
  yoke::device_ptr<T> allocate(std::size_t bytes) {
    void* p = dev_.allocate(bytes);
    REQUIRE(p != nullptr);
    all_.push_back(p);
    return yoke::device_ptr<T>{static_cast<T*>(p)};
  }
  template <class T>
  yoke::device_ptr<T> upload(const std::vector<T>& from) {
    const auto to = allocate<T>(from.size() * sizeof(T));
    dev_.copy(stream_, to.address(), from.data(), from.size() * sizeof(T), yoke::copy_kind::host_to_device);
    dev_.synchronize(stream_);
    return to;
  }
  void download(std::vector<double>& to, yoke::device_ptr<double> from) {
    dev_.copy(stream_, to.data(), from.address(), to.size() * sizeof(double),
              yoke::copy_kind::device_to_host);
    dev_.synchronize(stream_);
  }
  yoke::stream_handle stream() const { return stream_; }

 private:
  yoke::device& dev_;
  yoke::stream_handle stream_;
  std::vector<void*> all_;
};

}  // namespace support
