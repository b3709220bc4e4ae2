#pragma once
/// What the files of the device conformance suite share.

#include "devices.hpp"

#include <memory>
#include <numeric>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace conformance {

/// The first device of each usable backend in turn, with a stream, and helpers that move doubles.
struct bench {
  std::string backend = GENERATE(from_range(usable_backends()));
  std::unique_ptr<yoke::device> device = open_device(backend);
  yoke::stream_handle stream = device->create_stream();

  bench() = default;
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;
  ~bench() { device->destroy_stream(stream); }

  /// What errors call it: of a slice or a memory space the device that it is on.
  std::string name() const {
    const std::string& own = device->info().name;
    return own.substr(0, own.find_first_of("/*+"));
  }
  double* make(std::size_t n) const {
    void* address = device->allocate(n * sizeof(double));
    REQUIRE(address != nullptr);
    return static_cast<double*>(address);
  }
  double* holding(const std::vector<double>& values) const {
    double* address = make(values.size());
    write(address, values);
    device->synchronize(stream);
    return address;
  }
  void write(double* to, const std::vector<double>& values) const {
    device->copy(stream, to, values.data(), values.size() * sizeof(double), yoke::copy_kind::host_to_device);
  }
  std::vector<double> read(const double* from, std::size_t n) const {
    std::vector<double> values(n, -1);
    device->copy(stream, values.data(), from, n * sizeof(double), yoke::copy_kind::device_to_host);
    device->synchronize(stream);
    return values;
  }
};

inline std::vector<double> counting(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace conformance
