/// Devices that fail: each call in turn, and too little memory.
#include "emulated_options.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

struct blur {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> old, yoke::view<double, 2> u,
                          yoke::partial<double>& sum) const {
    u(at) = 0.25 * (old(at.i - 1, at.j) + old(at.i + 1, at.j)) + 0.5 * old(at.i, at.j + 1);
    sum += u(at);
  }
};

struct result {
  std::vector<double> u;
  double sum = 0;
  friend bool operator==(const result&, const result&) = default;
};

/// Everything that asks devices for something: loading, exchanges, edges, loops, reductions, copies, cutting
/// anew, transposing.
result solve(yoke::runtime& rt) {
  std::vector<double> host(37 * 11);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i % 17);
  const auto rows = dist::balanced.halo(1).edge(dist::periodic);
  yoke::array<double, 2> u{
      rt, {37, 11}, {rows, dist::duplicate.halo(1).edge(dist::reflecting)}, yoke::attach(host)};
  yoke::array<double, 2> old{rt, {37, 11}, dist::as(u)};
  yoke::copy(u, old);
  result found;
  for (int k = 0; k < 2; ++k) {
    swap(u, old);
    yoke::for_each<blur>(rt, {37, 11}, in(old), out(u), sum(found.sum));
    const yoke::array<double, 1> needs_long_parts{rt, {37}, {dist::balanced.halo(10 + 5 * k)}};
  }
  yoke::redistribute(old, dist::block);
  yoke::array<double, 2> turned{rt, {11, 37}};
  yoke::transpose(old, turned);
  found.u = turned.gather();
  u.detach();
  found.u.insert(found.u.end(), host.begin(), host.end());
  return found;
}

}  // namespace

TEST_CASE("whichever call of a device fails, there is an error or the right result", "[arrays][faults]") {
  yoke::runtime healthy;
  if (!heeds_options(healthy)) return support::skip("no emulated device");
  const result wanted = solve(healthy);
  const int step = 1 + healthy.units().size() / 4;  // many units make many calls
  for (const char* fault : {"fail-call", "fail-copy", "fail-launch", "fail-alloc", "lost-after"}) {
    int failed = 0, right = 0;
    for (int k = 1; right < 3 && k < 400 * step; k += step) {
      const emulated_options with{std::string{fault} + "=" + std::to_string(k)};
      try {
        yoke::runtime rt;
        const bool is_right = solve(rt) == wanted;
        INFO(fault << "=" << k);
        REQUIRE(is_right);
        ++right;
      } catch (const yoke::error&) {
        ++failed;
        right = 0;
      }
    }
    INFO(fault);
    CHECK(failed > 0);
    CHECK(right == 3);
  }
}

TEST_CASE("after a failure the runtime goes on with other arrays", "[arrays][faults]") {
  yoke::runtime healthy;
  if (!heeds_options(healthy)) return support::skip("no emulated device");
  const result wanted = solve(healthy);
  for (int k = 1; k < 6; ++k) {
    const emulated_options with{"fail-launch=" + std::to_string(k) + ",fail-copy=" + std::to_string(2 * k)};
    yoke::runtime rt;
    // Each device fails twice.
    std::size_t failures = 0;
    std::optional<result> found;
    while (!found && failures <= 2 * rt.devices().size()) {
      try {
        found = solve(rt);
      } catch (const yoke::error&) {
        ++failures;
      }
    }
    CHECK(failures > 0);
    CHECK(found == wanted);
  }
}

struct fails_once {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          std::int64_t where) const {
#if !YOKE_DEVICE_PASS
    if (at.i == where) throw std::runtime_error{"no luck"};
#endif
    y(at) = x(at.i - 1) + x(at.i + 1);
  }
};

TEST_CASE("halos are exchanged again after a loop that failed", "[arrays][faults]") {
  yoke::runtime rt;
  if (!std::ranges::all_of(rt.devices(), is_emulated)) return support::skip("a GPU's body cannot throw");
  std::vector<double> host(60);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i * i);
  const std::vector<double> is = host;
  yoke::array<double, 1> x{rt, {60}, {dist::block.halo(1).edge(dist::periodic)}, yoke::attach(host)};
  yoke::array<double, 1> y{rt, {60}, dist::as(x)};
  const auto run = [&](std::int64_t where) {
    yoke::for_each<fails_once>(rt, {60}, in(x), out(y), where);
    return y.gather();
  };
  CHECK_THROWS(run(0));
  CHECK_THROWS(run(59));
  const std::vector<double> found = run(60);
  for (std::size_t i = 0; i < 60; ++i) CHECK(found[i] == is[(i + 59) % 60] + is[(i + 1) % 60]);
}

TEST_CASE("too little memory of a device is said with the numbers, and leaves nothing behind",
          "[arrays][faults]") {
  const emulated_options with{"memory=1MiB"};
  yoke::runtime rt;
  if (!heeds_options(rt)) return support::skip("no emulated device");
  for (int round = 0; round < 3; ++round) {
    const yoke::array<double, 2> fits{rt, {64, 1000}};
    try {
      const yoke::array<double, 2> too_large{rt, {4000, 1000}};
      FAIL("an array of 32 MB fits devices of 1 MiB");
    } catch (const yoke::out_of_memory& problem) {
      CHECK(problem.bytes_wanted() > (1U << 20));
      CHECK(problem.bytes_free() < problem.bytes_wanted());
    }
  }
}
