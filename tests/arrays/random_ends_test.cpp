/// Random loops and sizes near the ends of int64 and of smaller types, against numbers that have no end.
#include "ends.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/detail/checked_size.hpp>

using namespace arrays_test;

namespace {

using yoke::bound;
using yoke::box;
constexpr __int128 most_indices = __int128{1} << 62;
constexpr __int128 most_bytes = std::numeric_limits<std::int64_t>::max();

class dice {
 public:
  explicit dice(std::uint32_t seed) : random_{seed} {}
  std::int64_t upto(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>{0, most}(random_);
  }
  /// Near an end of a type, or a power of two that a product goes over.
  std::int64_t near_an_end(std::int64_t away) {
    static constexpr std::array<std::int64_t, 12> ends{smallest_index,
                                                       -(std::int64_t{1} << 62),
                                                       -(std::int64_t{1} << 53),
                                                       -(std::int64_t{1} << 31),
                                                       0,
                                                       std::int64_t{1} << 31,
                                                       std::int64_t{1} << 32,
                                                       std::int64_t{1} << 53,
                                                       (std::int64_t{1} << 60) + 1,
                                                       std::int64_t{1} << 61,
                                                       std::int64_t{1} << 62,
                                                       largest_index};
    const __int128 at = __int128{ends[static_cast<std::size_t>(upto(11))]} + upto(2 * away) - away;
    return static_cast<std::int64_t>(std::clamp<__int128>(at, smallest_index, largest_index));
  }
  /// With up to `most` indices, or with far too many.
  bound side(std::int64_t most) {
    const std::int64_t begin = near_an_end(1500), other = upto(15) == 0 ? near_an_end(1500) : begin;
    if (other != begin) return {begin, other};
    return {begin,
            static_cast<std::int64_t>(std::min<__int128>(__int128{begin} + upto(most), largest_index))};
  }
  yoke::distribution sharing() {
    switch (upto(2)) {
      case 0:
        return yoke::dist::block;
      case 1:
        return yoke::dist::cyclic(64 + upto(3) * near_positive());
      default:
        return yoke::dist::duplicate;
    }
  }
  std::int64_t near_positive() { return std::int64_t{1} << (28 + upto(33)); }

 private:
  std::mt19937_64 random_;
};

__int128 size_of(const bound& side) { return std::max<__int128>(__int128{side.end} - side.begin, 0); }

/// Of sides that count as most_indices + 1 at most, so that two have a product.
template <int D>
__int128 indices_of(const box<D>& over) {
  __int128 all = 1;
  for (int d = 0; d < D; ++d) all *= std::min(size_of(over[d]), most_indices + 1);
  return all;
}

template <int D>
bool is_refused(const box<D>& over) {
  for (int d = 0; d < D; ++d)
    if (size_of(over[d]) > most_indices) return true;
  return indices_of(over) > most_indices;
}

/// More than a test can wait for, and fewer than what is refused.
template <int D>
bool is_too_long(const box<D>& over) {
  return !is_refused(over) && indices_of(over) > 100'000;
}

/// Whether the loop is right, or refused where it must be.
template <int D, class... Sharing>
bool holds(yoke::runtime& rt, const box<D>& over, const Sharing&... shared) {
  try {
    const found has = run(rt, over, shared...);
    return !is_refused(over) && has == expected(over);
  } catch (const yoke::usage_error&) {
    return is_refused(over);
  }
}

template <int D>
std::string text_of(const box<D>& over) {
  std::string text;
  for (int d = 0; d < D; ++d)
    text += "[" + std::to_string(over[d].begin) + ", " + std::to_string(over[d].end) + ") ";
  return text;
}

box<1> box_of_one(dice& d) { return box<1>{{d.side(3000)}}; }
box<2> box_of_two(dice& d) { return box<2>{{d.side(6), d.side(1300)}}; }

}  // namespace

TEST_CASE("random loops near the ends of int64 have their indices, or are refused",
          "[arrays][ends][random]") {
  yoke::runtime rt;
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  dice d{seed};
  int n_run = 0;
  for (int i = 0; i < 5000; ++i) {
    const box<1> one = box_of_one(d);
    const box<2> two = box_of_two(d);
    INFO(text_of(one) << "and " << text_of(two));
    n_run += is_too_long(one) ? 0 : 1;
    n_run += is_too_long(two) ? 0 : 1;
    REQUIRE((is_too_long(one) || holds(rt, one)));
    REQUIRE((is_too_long(two) || holds(rt, two)));
  }
  CHECK(n_run > 4000);
}

TEST_CASE("random loops that are distributed by hand near the end of int64 have their indices",
          "[arrays][ends][random]") {
  yoke::runtime rt;
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  dice d{seed};
  for (int i = 0; i < 1000; ++i) {
    const box<2> over = box_of_two(d);
    if (over[0].begin < 0 || over[1].begin < 0 || is_too_long(over)) continue;
    INFO(text_of(over));
    CHECK(holds(rt, over, yoke::loops::distributed(yoke::dist::duplicate, d.sharing())));
  }
}

TEST_CASE("random sizes are those of numbers without end, or refused", "[arrays][ends][random]") {
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  dice d{seed};
  for (int i = 0; i < 10'000; ++i) {
    std::array<std::size_t, 2> extents{};
    for (std::size_t& each : extents)
      each = static_cast<std::size_t>(std::max<std::int64_t>(d.near_an_end(3), 0)) +
             static_cast<std::size_t>(d.upto(2));
    const auto element = static_cast<std::size_t>(1 + d.upto(40));
    const auto wide = [](std::size_t n) { return static_cast<unsigned __int128>(n); };
    const unsigned __int128 plane =
        wide(std::max<std::size_t>(extents[0], 1)) * std::max<std::size_t>(extents[1], 1);
    const bool is_too_large = plane > static_cast<unsigned __int128>(most_bytes) / element;
    INFO(extents[0] << " x " << extents[1] << " of " << element);
    try {
      const std::size_t bytes = yoke::detail::bytes_of_elements("a test", extents, element);
      REQUIRE(!is_too_large);
      REQUIRE(bytes == static_cast<std::size_t>(wide(extents[0]) * extents[1] * element));
    } catch (const yoke::usage_error&) {
      REQUIRE(is_too_large);
    }
  }
}

namespace {

/// Bytes, with a halo and what lies behind edges where they are periodic.
struct long_array {
  std::int64_t n, m;
  int halo;
  bool is_periodic;

  __int128 elements() const {
    const __int128 rows = __int128{n} + (is_periodic ? 2 * halo : 0);
    return std::max<__int128>(rows, 1) * std::max<__int128>(m, 1);
  }
  bool is_refused() const {
    return n < 0 || m < 0 || n > most_indices || m > most_indices || elements() > most_bytes;
  }
  yoke::array<char, 2> make(yoke::runtime& rt) const {
    const yoke::edge_policy edge = is_periodic ? yoke::dist::periodic : yoke::dist::none;
    return {rt, {n, m}, {yoke::dist::block.halo(halo).edge(edge), yoke::dist::duplicate}};
  }
};

long_array random_array(dice& d) {
  long_array made{d.near_an_end(2), d.upto(2) == 0 ? d.near_an_end(2) : d.upto(3), 0, false};
  if (made.n < 1 << 30) return made;  // a halo is as wide as a part at most
  made.halo = static_cast<int>(d.upto(2) * 500);
  made.is_periodic = d.upto(1) == 1;
  return made;
}

}  // namespace

TEST_CASE("random arrays near the ends of what memory can be are made, out of memory or refused",
          "[arrays][ends][random]") {
  yoke::runtime rt;
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  dice d{seed};
  for (int i = 0; i < 1500; ++i) {
    const long_array of = random_array(d);
    INFO(of.n << " x " << of.m << ", halo " << of.halo << (of.is_periodic ? ", periodic" : ""));
    // What memory has might be taken in earnest.
    if (of.elements() > (1 << 20) && of.elements() < (__int128{1} << 50)) continue;
    try {
      const yoke::array<char, 2> x = of.make(rt);
      REQUIRE(!of.is_refused());
      REQUIRE(x.size() == of.n * of.m);
    } catch (const yoke::usage_error&) {
      REQUIRE(of.is_refused());
    } catch (const yoke::out_of_memory&) {
      REQUIRE(!of.is_refused());
    }
  }
}
