#include "bench.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>

// Every device passes this suite; a new backend joins it by being in the list of backends.

namespace {

using conformance::bench;
using conformance::counting;
using yoke::copy_kind;

}  // namespace

TEST_CASE("allocations are aligned to 256 bytes and do not overlap", "[device]") {
  bench on;
  std::map<std::uintptr_t, std::size_t> bytes_at;
  for (std::size_t bytes : {1u, 255u, 256u, 257u, 100000u, 300u, 513u}) {
    void* const address = on.device->allocate(bytes);
    REQUIRE(address != nullptr);
    bytes_at[reinterpret_cast<std::uintptr_t>(address)] = bytes;
  }
  CHECK(bytes_at.size() == 7);
  std::uintptr_t free_from = 0;
  for (const auto& [address, bytes] : bytes_at) {
    CHECK(address % 256 == 0);
    CHECK(address >= free_from);
    free_from = address + bytes;
  }
  for (const auto& [address, bytes] : bytes_at) on.device->deallocate(reinterpret_cast<void*>(address));
}

TEST_CASE("an allocation that does not fit gives nullptr and the device stays usable", "[device]") {
  bench on;
  CHECK(on.device->info().memory > 0);
  CHECK(on.device->allocate(on.device->info().memory + 1) == nullptr);
  CHECK(on.device->memory_free() > 0);
  double* x = on.holding({1, 2, 3});
  CHECK(on.read(x, 3) == std::vector<double>{1, 2, 3});
  on.device->deallocate(x);
}

TEST_CASE("copies to, from and inside a device keep every byte", "[device]") {
  bench on;
  const auto values = counting(100003);
  double* x = on.holding(values);
  double* y = on.make(values.size());
  on.device->copy(on.stream, y, x, values.size() * sizeof(double), copy_kind::device_to_device);
  CHECK(on.read(y, values.size()) == values);
  CHECK(on.read(x + 100000, 3) == std::vector<double>{100001, 100002, 100003});
  on.device->deallocate(x);
  on.device->deallocate(y);
}

TEST_CASE("pinned memory that the host does not have is a device_error, and the device goes on", "[device]") {
#ifdef YOKE_SANITIZED
  support::skip("pinned memory that the host does not have: the sanitizer ends the program");
#else
  bench on;
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {all, all - 4095, all / 4})
    CHECK_THROWS_AS(on.device->allocate_pinned(bytes), yoke::device_error);
  void* pinned = on.device->allocate_pinned(8);
  CHECK(pinned != nullptr);
  on.device->deallocate_pinned(pinned);
#endif
}

TEST_CASE("pinned memory is copied from and to", "[device]") {
  bench on;
  auto* pinned = static_cast<double*>(on.device->allocate_pinned(2 * sizeof(double)));
  REQUIRE(pinned != nullptr);
  pinned[0] = 3;
  double* x = on.holding({0});
  on.device->copy(on.stream, x, pinned, sizeof(double), copy_kind::host_to_device);
  on.device->copy(on.stream, pinned + 1, x, sizeof(double), copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(pinned[1] == 3);
  on.device->deallocate_pinned(pinned);
  on.device->deallocate(x);
}
