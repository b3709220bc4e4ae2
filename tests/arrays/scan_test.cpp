/// Scans beside the rule of scan_kernels.hpp, written again as plainly as can be.
#include "emulated_options.hpp"

#include <cstdint>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

namespace dist = yoke::dist;
using Catch::Matchers::Contains;
using support::refusal;

/// x -> a x + b, modulo 2^64: to do one after the other depends on their order.
struct affine {
  std::uint64_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
struct then {
  YOKE_HD static affine none() { return {}; }
  YOKE_HD static affine combine(const affine& first, const affine& next) {
    return {next.a * first.a, next.a * first.b + next.b};
  }
};

template <class Operation, class T>
T total(const std::vector<T>& of) {
  T all = yoke::detail::none_of<Operation, T>();
  for (const T& each : of) all = Operation::combine(all, each);
  return all;
}

/// Parts of 8 elements, or of 8 or 16 such totals.
template <class Operation, class T>
std::vector<T> totals(const std::vector<T>& of, std::size_t width, std::size_t n_parts) {
  std::vector<T> made;
  for (std::size_t part = 0; part < n_parts; ++part) {
    std::vector<T> mine;
    for (std::size_t i = part * width; i < std::min(of.size(), (part + 1) * width); ++i)
      mine.push_back(of[i]);
    made.push_back(total<Operation>(mine));
  }
  return made;
}

/// What stands before and with each element.
template <class T>
struct scanned {
  std::vector<T> exclusive, inclusive;
  T last{};
};

template <class Operation, class T>
scanned<T> scan_of(const std::vector<T>& x, T start) {
  scanned<T> found;
  T before_leaf = start;
  for (std::size_t base = 0; base < x.size(); base += 1024) {
    const std::vector<T> leaf(x.begin() + static_cast<std::ptrdiff_t>(base),
                              x.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), base + 1024)));
    const std::vector<T> runs = totals<Operation>(leaf, 8, 128), groups = totals<Operation>(runs, 8, 16);
    T before_group = before_leaf;
    T before_run{}, here{};
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      if (i % 64 == 0) {
        if (i > 0) before_group = Operation::combine(before_group, groups[i / 64 - 1]);
        before_run = before_group;
      } else if (i % 8 == 0) {
        before_run = Operation::combine(before_run, runs[i / 8 - 1]);
      }
      if (i % 8 == 0) here = before_run;
      found.exclusive.push_back(here);
      here = Operation::combine(here, leaf[i]);
      found.inclusive.push_back(here);
    }
    before_leaf = Operation::combine(before_leaf, total<Operation>(groups));
  }
  found.last = before_leaf;
  return found;
}

class scan_dice {
 public:
  std::int64_t upto(std::int64_t n) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n + 1));
  }
  double value() { return static_cast<double>(upto(2000) - 1000) / 7; }
  std::int64_t any_extent() {
    const std::int64_t least[]{0, 1, 900, 1024 * upto(5), 20'000};
    return least[upto(4)] + upto(200);
  }
  yoke::distribution any_distribution(int n_units) {
    if (upto(3) == 0) return dist::duplicate;
    if (upto(1) == 0) return dist::block;
    std::vector<double> weights;
    for (int unit = 0; unit < n_units; ++unit) weights.push_back(static_cast<double>(upto(3)));
    weights[static_cast<std::size_t>(upto(n_units - 1))] = 1;
    return dist::weighted(weights);
  }

 private:
  std::mt19937_64 random_{Catch::rngSeed()};
};

template <class Operation, class T>
void check_scans(yoke::runtime& rt, scan_dice& d, std::vector<T> host, T start) {
  const std::vector<T> is = host;
  const auto n = std::ssize(host);
  yoke::array<T, 1> x{rt, {n}, {d.any_distribution(rt.units().size())}, yoke::attach(host)};
  yoke::array<T, 1> y{rt, {n}, dist::as(x)};
  const scanned<T> with = scan_of<Operation>(is, yoke::detail::none_of<Operation, T>());
  const scanned<T> before = scan_of<Operation>(is, start);
  INFO("--rng-seed " << Catch::rngSeed() << ", " << n << " elements");
  const bool gives_last = yoke::inclusive_scan<Operation>(rt, x, y) == with.last;
  REQUIRE(gives_last);
  REQUIRE((y.gather() == with.inclusive));
  REQUIRE((x.gather() == is));
  const bool gives_all = yoke::exclusive_scan<Operation>(rt, x, x, start) == before.last;
  REQUIRE(gives_all);
  REQUIRE((x.gather() == before.exclusive));
}

}  // namespace

TEST_CASE("sums of prefixes have the bits of the rule, in place too", "[arrays][scan]") {
  yoke::runtime rt;
  scan_dice d;
  for (int round = 0; round < 16; ++round) {
    std::vector<double> host;
    for (std::int64_t n = d.any_extent(); n > 0; --n) host.push_back(d.value());
    check_scans<yoke::plus>(rt, d, std::move(host), d.value());
  }
}

TEST_CASE("prefixes of an own operation keep the order of elements", "[arrays][scan]") {
  yoke::runtime rt;
  scan_dice d;
  for (int round = 0; round < 8; ++round) {
    std::vector<affine> host;
    for (std::int64_t n = d.any_extent(); n > 0; --n)
      host.push_back(
          {static_cast<std::uint64_t>(2 * d.upto(99) + 1), static_cast<std::uint64_t>(d.upto(99))});
    check_scans<then>(rt, d, std::move(host), affine{3, 7});
  }
}

TEST_CASE("offsets are an exclusive scan of counts", "[arrays][scan]") {
  yoke::runtime rt;
  std::vector<std::int64_t> counts{3, 0, 2, 5};
  const yoke::array<std::int64_t, 1> x{rt, {4}, yoke::attach(counts)};
  yoke::array<std::int64_t, 1> y{rt, {4}};
  CHECK(yoke::exclusive_scan(rt, x, y) == 10);
  CHECK(y.gather() == std::vector<std::int64_t>{0, 3, 3, 5});
  CHECK(yoke::inclusive_scan<yoke::largest>(rt, x, y) == 5);
  CHECK(y.gather() == std::vector<std::int64_t>{3, 3, 3, 5});
}

TEST_CASE("scans of arrays that do not go together are refused", "[arrays][scan]") {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {64}}, replica{rt, {64}, {dist::duplicate}};
  yoke::array<double, 1> longer{rt, {65}}, y{rt, {64}, {dist::duplicate}}, z{rt, {64}};
  CHECK_THAT(refusal([&] { yoke::inclusive_scan(rt, x, longer); }),
             Contains("inclusive_scan: the arrays have 64 and 65 elements"));
  CHECK_THAT(refusal([&] { yoke::exclusive_scan(rt, x, y); }),
             Contains("exclusive_scan") && Contains("is distributed, but the first array"));
  CHECK(yoke::inclusive_scan(rt, replica, z) == 0);
}

struct count_up {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<std::uint64_t, 1> x) const {
    x(at) = static_cast<std::uint64_t>(at.i) + 1;
  }
};

TEST_CASE("a scan that finds no memory on one of several devices leaves its array as it was",
          "[arrays][scan]") {
  const emulated_options little{"memory=64KiB"};
  yoke::runtime rt;
  if (!heeds_options(rt) || rt.devices().size() < 2) return support::skip("fewer than two emulated devices");
  if (rt.units().size() > 4) return support::skip("replicas of so many units fill the devices");
  yoke::array<std::uint64_t, 1> x{rt, {2000}, {dist::duplicate}};
  yoke::for_each<count_up>(rt, {2000}, yoke::roles::out(x));
  const std::vector<std::uint64_t> before = x.gather();
  const dist::grid last = dist::grid{1}.over(dist::units{rt.units().size() - 1});
  int short_of = 0;
  // A scan wants as little as a device gives, 256 bytes.
  for (std::int64_t taken = 8192; taken > 0; taken -= 32) {
    try {
      const yoke::array<std::uint64_t, 1> other{rt, {taken}, {dist::block}, last};
      yoke::inclusive_scan(rt, x, x);
      break;
    } catch (const yoke::out_of_memory&) {
      ++short_of;
      const bool is_as_before = x.gather() == before;
      REQUIRE(is_as_before);
    }
  }
  CHECK(short_of > 0);
  CHECK(x.gather() == scan_of<yoke::plus>(before, std::uint64_t{0}).inclusive);
}
