#include "window_counter.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <vector>

#include <yoke/kernel.hpp>

using yoke::device_ptr;

namespace {

/// Stores bytes between its accesses, after which a compiler may take nothing in memory for unchanged.
struct invert {
  YOKE_HD void operator()(yoke::item at, device_ptr<const device_ptr<unsigned char>> rows,
                          device_ptr<unsigned char> counts) const {
    rows[at.y][at.x] ^= 0xff;
    counts[at.x] += 1;
    rows[at.y][at.x] ^= 0x0f;
  }
};

}  // namespace

TEST_CASE("a CPU CU asks once a launch, not once an access, whether addresses are translated", "[kernel]") {
  constexpr std::int64_t width = 100, height = 3;
  std::vector<unsigned char> x(width * height, 0x35), counts(width);
  std::vector<device_ptr<unsigned char>> rows;
  for (std::int64_t y = 0; y < height; ++y) rows.emplace_back(&x[static_cast<std::size_t>(y * width)]);
  auto storage = yoke::detail::make_pack(device_ptr<const device_ptr<unsigned char>>{rows.data()},
                                         device_ptr{counts.data()});
  const auto call = yoke::make_kernel_call<invert>("invert", {.x = width, .y = height}, storage);
  tests::window_to_tell = &yoke::detail::all_addresses;
  tests::times_asked = 0;
  call.host_entry(call.arguments, {.last_x = width, .last_y = height});
  CHECK(x == std::vector<unsigned char>(width * height, 0xc5));
  CHECK(counts == std::vector<unsigned char>(width, height));
#if !defined(__OPTIMIZE__) || defined(YOKE_SANITIZED)
  support::skip("merging of questions: this build is not optimized, or instrumented between them");
#else
  CHECK(tests::times_asked == 1);
#endif
}
