#include "bench.hpp"

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/pinned_range.hpp>

// Host memory that is pinned where it is.

namespace {

using conformance::bench;
using conformance::blocker;
using conformance::counting;
using yoke::copy_kind;
using yoke::pinned_range;

/// Whether a copy from `value` reads it when the stream comes to it, and not before: for pinned memory alone
/// vendors promise that, and the call returns at once.
bool is_read_late(bench& on, double& value) {
  double* x = on.holding({0});
  value = 1;
  blocker hold{*on.device, on.stream};
  on.device->copy(on.stream, x, &value, sizeof value, copy_kind::host_to_device);
  value = 2;
  hold.release();
  const double found = on.read(x, 1)[0];
  on.device->deallocate(x);
  return found == 2;
}

/// Where nothing is mapped: a sanitizer may have memory of its own at any fixed address.
void* middle_of_a_hole() {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  void* hole = mmap(nullptr, gibibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(hole != MAP_FAILED);
  munmap(hole, gibibyte);
  return static_cast<std::byte*>(hole) + gibibyte / 2;
}

}  // namespace

TEST_CASE("copies from memory that was pinned read it when their stream comes to it", "[device][pin]") {
  bench on;
  std::vector<double> host(1000);
  const pinned_range pinned{*on.device, std::span{host}};
  CHECK(is_read_late(on, host[0]));
  CHECK(is_read_late(on, host[999]));
}

TEST_CASE("pages that two ranges share stay pinned until both have gone", "[device][pin]") {
  bench on;
  std::vector<double> host(3000);  // six pages, with a cut within one
  pinned_range first{*on.device, std::span{host}.first(1400)};
  {
    const pinned_range same{*on.device, std::span{host}.first(1400)};
    const pinned_range rest{*on.device, std::span{host}.subspan(1400)};
    CHECK(is_read_late(on, host[2999]));
    first = pinned_range{};
    CHECK(is_read_late(on, host[1399]));
    CHECK(is_read_late(on, host[1400]));
  }
  double* x = on.holding(std::vector<double>(host.size(), 0));
  on.write(x, host);
  CHECK(on.read(x, host.size()) == host);
  on.device->deallocate(x);
}

TEST_CASE("copies and boxes reach memory of which parts are pinned", "[device][pin]") {
  bench on;
  constexpr std::size_t rows = 40, width = 130;  // ten pages
  std::mt19937 random{20261122};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<double> host = counting(rows * width);
  double* x = on.holding(std::vector<double>(rows * width, 0));
  std::vector<pinned_range> pinned;
  for (int round = 0; round < 60; ++round) {
    if (pinned.size() > 3) pinned.erase(pinned.begin() + static_cast<std::ptrdiff_t>(below(pinned.size())));
    const std::size_t first = below(host.size() - 1);
    pinned.emplace_back(*on.device, std::span{host}.subspan(first, 1 + below(host.size() - first)));
    const std::size_t row = below(rows), column = below(width);
    const yoke::box_pitch pitch{.row = width * sizeof(double)};
    yoke::box_copy what{.to = x + row * width + column,
                        .from = &host[row * width + column],
                        .bytes = (1 + below(width - column)) * sizeof(double),
                        .rows = 1 + below(rows - row),
                        .to_pitch = pitch,
                        .from_pitch = pitch,
                        .kind = copy_kind::host_to_device};
    on.device->copy_box(on.stream, what);
    on.device->synchronize(on.stream);
    for (std::size_t j = 0; j < what.rows; ++j)
      for (std::size_t i = 0; i < what.bytes / sizeof(double); ++i) host[(row + j) * width + column + i] = -1;
    what.from = x + row * width + column;
    what.to = &host[row * width + column];
    what.kind = copy_kind::device_to_host;
    on.device->copy_box(on.stream, what);
    on.device->synchronize(on.stream);
    REQUIRE(host == counting(rows * width));
  }
  on.write(x, host);
  std::vector<double> back(host.size());
  pinned.emplace_back(*on.device, std::span{back}.first(777));
  on.device->copy(on.stream, back.data(), x, back.size() * sizeof(double), copy_kind::device_to_host);
  on.device->synchronize(on.stream);
  CHECK(back == host);
  on.device->deallocate(x);
}

TEST_CASE("what is no memory of the program cannot be pinned, and nothing is then", "[device][pin]") {
  bench on;
  double* x = on.make(1);
  void* nowhere = middle_of_a_hole();
  using Catch::Matchers::Contains;
  for (const auto& [address, bytes] :
       {std::pair{nowhere, std::size_t{100}}, std::pair{nowhere, ~std::size_t{0}}}) {
    CHECK_THROWS_WITH(
        on.device->pin(address, bytes),
        Contains(on.name()) && Contains("pinning " + std::to_string(bytes) + " bytes of host memory at 0x"));
    CHECK_THROWS_AS(on.device->pin(address, bytes), yoke::device_error);
  }
  CHECK_NOTHROW(on.device->pin(nowhere, 0));
  CHECK_NOTHROW(on.device->unpin(nowhere, 0));
  on.device->deallocate(x);
}
