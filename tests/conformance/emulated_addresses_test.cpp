#include "device_kernels.hpp"
#include "emulated_fixture.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <utility>

#include <yoke/error.hpp>

// What the emulated device does beyond the conformance suite.

namespace {

using Catch::Matchers::Contains;
using conformance::fixture;
using yoke::copy_kind;
using yoke::device_ptr;

}  // namespace

TEST_CASE("a kernel that is given another space's address fails and says which", "[emulated]") {
  const fixture on;
  const auto other = yoke::make_emulated_device(1, {.memory = 1 << 20});
  double host = 0;
  auto* foreign = static_cast<double*>(other->allocate(8));
  for (double* wrong : {&host, foreign}) {
    conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{wrong}, 1, 1);
    CHECK_THROWS_WITH(on.device->synchronize(on.stream), Contains("emulated:0: kernel 'add'"));
  }
  conformance::launch_add(*on.device, on.stream, {1, 1}, device_ptr{&host}, 1, 1);
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  on.device->synchronize(on.stream);
  CHECK(host == 0);
  other->deallocate(foreign);
}

TEST_CASE("an address of another space in a table is refused where the kernel comes to it", "[emulated]") {
  const fixture on;
  double* own = on.make(3);
  double host[3] = {-1, -1, -1};
  const device_ptr<double> rows[2] = {device_ptr{own}, device_ptr{host}};
  auto* table = static_cast<device_ptr<double>*>(on.device->allocate(sizeof rows));
  on.device->copy(on.stream, table, rows, sizeof rows, copy_kind::host_to_device);
  conformance::launch_number_rows(*on.device, on.stream, {.x = 3, .y = 2}, device_ptr{table});
  CHECK_THROWS_AS(on.device->synchronize(on.stream), yoke::usage_error);
  CHECK(std::ranges::count(host, -1.0) == 3);
  double written[3] = {};
  on.device->copy(on.stream, written, own, sizeof written, copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(written[2] == 2);
}

TEST_CASE("a view of another space is refused, also one in a struct", "[emulated]") {
  const fixture on;
  double host[6] = {};
  double* own = on.make(6);
  const yoke::view<double, 2> here{device_ptr{own}, {2, 3}}, there{device_ptr{&host[0]}, {2, 3}};
  for (const auto& [from, to] : {std::pair{here, there}, std::pair{there, here}}) {
    conformance::launch_move(*on.device, on.stream, {3, 2}, {.from = from, .to = to});
    CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                      Contains("emulated:0: kernel 'move'") && Contains("not in its device's memory"));
  }
  CHECK(std::ranges::count(host, 0.0) == 6);
}

TEST_CASE("an index outside of a view is refused with the index and the extents", "[emulated]") {
  const fixture on;
  double* own = on.make(100);
  const yoke::view<double, 2> small{device_ptr{own}, {2, 3}};
  const yoke::view<double, 2> large{device_ptr{own + 50}, {4, 5}};
  const auto refused = [&](yoke::extent items, const char* words) {
    conformance::launch_move(*on.device, on.stream, items, {.from = large, .to = small});
    CHECK_THROWS_WITH(on.device->synchronize(on.stream),
                      Contains("emulated:0: kernel 'move'") && Contains(words));
  };
  refused({4, 2}, "the index (0, 3) of a view of 2 x 3 elements");
  refused({3, 3}, "the index (2, 0) of a view of 2 x 3 elements");
  conformance::launch_move(*on.device, on.stream, {3, 2}, {.from = large, .to = small});
  CHECK_NOTHROW(on.device->synchronize(on.stream));
}

TEST_CASE("a subview that leaves its view is refused with both", "[emulated]") {
  const fixture on;
  const yoke::view<const double, 3> u{device_ptr<const double>{on.make(100)}, {3, 2, 4}};
  const yoke::view<double, 2> sums{device_ptr{on.make(100)}, {4, 2}}, inside = sums.subview({3, 2});
  conformance::launch_sum_inner(*on.device, on.stream, u, sums);
  CHECK_THROWS_WITH(
      on.device->synchronize(on.stream),
      Contains("a kernel took the subview [3, 4) x [0, 2) x [0, 4) of a view of 3 x 2 x 4 elements"));
  conformance::launch_sum_inner(*on.device, on.stream, u, inside);
  CHECK_NOTHROW(on.device->synchronize(on.stream));
}

TEST_CASE("an address that fits no space in a copy is refused when the copy is asked for", "[emulated]") {
  const fixture on;
  double* x = on.make(32);
  double host[64] = {};
  const auto refused = [&](void* to, const void* from, std::size_t bytes, copy_kind kind) {
    CHECK_THROWS_AS(on.device->copy(on.stream, to, from, bytes, kind), yoke::device_error);
  };
  refused(host, x, 33 * sizeof(double), copy_kind::device_to_host);
  refused(host, x + 33, 8, copy_kind::device_to_host);
  refused(host + 1, host, 8, copy_kind::device_to_host);
  refused(x, x + 1, 8, copy_kind::host_to_device);
  refused(host, x, 8, copy_kind::device_to_device);
  CHECK_THROWS_WITH(
      on.device->copy(on.stream, x, x, 8, copy_kind::host_to_device),
      Contains("emulated:0: copying 8 bytes from the host to the device failed") && Contains("host address"));
  on.device->deallocate(x);
  refused(host, x, 8, copy_kind::device_to_host);
  CHECK(on.device->statistics().copies == 0);
}
