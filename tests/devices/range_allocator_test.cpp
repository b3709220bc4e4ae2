#include <algorithm>
#include <cstddef>
#include <random>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/detail/range_allocator.hpp>

TEST_CASE("ranges handed out never overlap, and what is free is always what was not handed out",
          "[emulated]") {
  constexpr std::size_t total = 1 << 16;
  yoke::detail::range_allocator ranges{total};
  std::mt19937 random{11};
  std::vector<std::pair<std::size_t, std::size_t>> taken;
  bool good = true;
  for (int step = 0; step < 3000; ++step) {
    if (random() % 2 == 0 && !taken.empty()) {
      std::swap(taken[random() % taken.size()], taken.back());
      good = good && ranges.give_back(taken.back().first).has_value();
      taken.pop_back();
    } else if (const std::size_t bytes = 1 + random() % 3000; const auto offset = ranges.take(bytes)) {
      const auto apart = [&](const auto& other) {
        return *offset >= other.first + other.second || *offset + bytes <= other.first;
      };
      good = good && std::ranges::all_of(taken, apart) && *offset % 256 == 0 && *offset + bytes <= total;
      good = good && ranges.contains(*offset, bytes) && !ranges.contains(*offset, bytes + 1);
      taken.emplace_back(*offset, bytes);
    }
    std::size_t used = 0;
    for (const auto& [offset, bytes] : taken) used += (bytes + 255) / 256 * 256;
    good = good && ranges.free_bytes() == total - used;
  }
  CHECK(good);
  CHECK_FALSE(ranges.give_back(total).has_value());
}
