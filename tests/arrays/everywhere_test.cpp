/// Where elements that a loop reads everywhere go, and what that is to cuts.
#include "random_cuts.hpp"
#include "values.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/emulated.hpp>
#include <yoke/settings.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;
using arrays_test::dice;

struct mirrored {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x,
                          yoke::view<double, 1> y) const {
    y(at) = x(x.end(0) - 1 - at.i);
  }
};
/// The same in much longer.
struct mirrored_by_and_by {
  void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y) const {
    for (std::int64_t i = std::max<std::int64_t>(0, x.end(0) - 600 - at.i); i < x.end(0) - at.i; ++i)
      y(at) = x(i);
  }
};
using mirrored_faster_on_gpus = yoke::variants<cpu<mirrored_by_and_by>, gpu<mirrored>>;

struct blend_in {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> y,
                          yoke::view<double, 1> x) const {
    x(at) = 0.5 * x(at) + y(at);
  }
};
struct blend_in_by_and_by {
  void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> y, yoke::view<double, 1> x) const {
    double value = y(at);
    for (int k = 0; k < 600; ++k) value = 0.999 * value;
    x(at) = value > 1e300 ? value : 0.5 * x(at) + y(at);
  }
};
using blend_in_faster_on_gpus = yoke::variants<cpu<blend_in_by_and_by>, gpu<blend_in>>;

struct raise_by {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> x, double value) const {
    x(at) += value;
  }
};

/// Bytes that have gone to devices and to the host.
std::size_t travelled(const yoke::runtime& rt) {
  std::size_t bytes = 0;
  for (yoke::device* dev : rt.devices())
    if (const auto* emulated = dynamic_cast<yoke::emulated_device*>(dev))
      bytes += emulated->statistics().bytes_to_device + emulated->statistics().bytes_to_host;
  return bytes;
}

bool has_emulated_device_beside_cpus(const yoke::runtime& rt) {
  return !rt.devices().empty() && dynamic_cast<yoke::emulated_device*>(rt.devices().front()) != nullptr &&
         rt.units().shape().cpu_units > 0;
}

constexpr std::int64_t rows_all = 60'000;

/// Steps of which each reads all that the one before wrote.
template <class Reversed, class Blend>
class mirror_steps {
 public:
  mirror_steps(yoke::runtime& rt, const yoke::distribution& how)
      : rt_{rt},
        host_{counting(rows_all)},
        x_{rt, {rows_all}, {how}, yoke::attach(host_)},
        y_{rt, {rows_all}, {how}} {}

  void run(int times) {
    for (int k = 0; k < times; ++k) step();
  }
  void replay(int times) {
    yoke::recording one = yoke::record(rt_, [&] { step(); });
    for (int k = 0; k < times; ++k) one.replay();
  }
  /// At most 200 times: other programs disturb what is measured. How often it was.
  int run_until_on_cpus(std::int64_t rows, bool replays) {
    yoke::recording one = yoke::record(rt_, [&] { step(); });
    int times = 0;
    for (; times < 40 || (times < 200 && rows_on_cpus() != rows); ++times) replays ? one.replay() : step();
    return times;
  }
  std::string explain() const { return x_.explain(); }
  std::int64_t rows_on_cpus() const {
    std::int64_t rows = 0;
    for (int unit = 0; unit < rt_.units().shape().cpu_units; ++unit) rows += x_.rows_of(unit).size();
    return rows;
  }
  std::vector<double> values() const { return x_.gather(); }

 private:
  void step() {
    yoke::for_each<Reversed>(rt_, {rows_all}, in(x_, yoke::everywhere), out(y_));
    yoke::for_each<Blend>(rt_, {rows_all}, in(y_), inout(x_));
  }

  yoke::runtime& rt_;
  std::vector<double> host_;
  yoke::array<double, 1> x_, y_;
};

std::vector<double> after_steps(int times) {
  std::vector<double> x = counting(rows_all);
  for (int k = 0; k < times; ++k) {
    const std::vector<double> y(x.rbegin(), x.rend());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 * x[i] + y[i];
  }
  return x;
}

}  // namespace

TEST_CASE("elements that are read everywhere go where units run the loop, and nowhere else",
          "[arrays][everywhere]") {
  yoke::runtime rt;
  if (!has_emulated_device_beside_cpus(rt)) return support::skip("no emulated device beside a CPU CU");
  for (const std::size_t owner : {std::size_t{0}, static_cast<std::size_t>(rt.units().size() - 1)}) {
    std::vector<double> weights(static_cast<std::size_t>(rt.units().size()));
    weights[owner] = 1;
    mirror_steps<mirrored, blend_in> all{rt, dist::weighted(weights)};
    all.run(2);
    CHECK(all.values() == after_steps(2));  // waits for the device
    const std::size_t before = travelled(rt), gathered = owner == 0 ? 0 : sizeof(double) * rows_all;
    all.run(3);
    all.replay(3);
    CHECK(all.values() == after_steps(8));
    CHECK(travelled(rt) == before + gathered);
  }
}

TEST_CASE("memories that a loop left out have all elements where the next one reads them",
          "[arrays][everywhere]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  const auto cut = [&] {
    std::vector<double> weights;
    for (int unit = 0; unit < rt.units().size(); ++unit) weights.push_back(static_cast<double>(d.upto(1)));
    weights[static_cast<std::size_t>(d.upto(rt.units().size() - 1))] = 1;
    return dist::weighted(weights);
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<double> x_host = counting(50), ys_host[3];
    yoke::array<double, 1> x{rt, {50}, {cut()}, yoke::attach(x_host)};
    std::vector<double> model = x_host;
    yoke::array<double, 1> ys[3]{{rt, {50}, {cut()}}, {rt, {50}, {cut()}}, {rt, {50}, {cut()}}};
    for (std::vector<double>& each : ys_host) each.assign(50, 0);
    const auto step = [&](std::size_t to, std::int64_t end) {
      yoke::for_each<mirrored>(rt, {50}, in(x, yoke::everywhere), out(ys[to]));
      yoke::for_each<raise_by>(rt, {end}, inout(x), 2.0);
    };
    const auto on_host = [&](std::size_t to, std::int64_t end) {
      ys_host[to].assign(model.rbegin(), model.rend());
      std::for_each(model.begin(), model.begin() + end, [](double& value) { value += 2; });
    };
    yoke::recording two = yoke::record(rt, [&] {
      step(0, 20);
      step(1, 30);
    });
    for (int k = 0; k < 12; ++k) {
      const auto to = static_cast<std::size_t>(d.upto(3));
      const std::int64_t end = d.upto(50);
      if (to < 3) {
        step(to, end);
        on_host(to, end);
      } else {
        two.replay();
        on_host(0, 20);
        on_host(1, 30);
      }
      for (std::size_t i = 0; i < 3; ++i) REQUIRE(ys[i].gather() == ys_host[i]);
    }
    x.detach();
    REQUIRE(x_host == model);
  }
}

TEST_CASE("rows leave the memory for whose sake all elements travel, in loops and in replays",
          "[arrays][everywhere][balance]") {
  // A device that is slow, and so are copies to and from it.
  yoke::detail::set_environment("YOKE_EMULATED", "slowdown=300");
  yoke::runtime rt;
  yoke::detail::unset_environment("YOKE_EMULATED");
  if (!has_emulated_device_beside_cpus(rt)) return support::skip("no emulated device beside a CPU CU");
  for (const bool replays : {false, true}) {
    CAPTURE(replays);
    mirror_steps<mirrored, blend_in> all{rt, dist::balanced};
    const int loops = all.run_until_on_cpus(rows_all, replays);
    INFO(all.explain());
    CHECK(all.values() == after_steps(loops));
    // By the clock: what decides is tested in virtual time (tests/scheduling/balancer_of_exchanges.cpp).
    if (all.rows_on_cpus() != rows_all) return support::skip("the machine is too busy to show which is slow");
    const std::size_t before = travelled(rt);
    all.run(1);
    const bool has_stayed = all.rows_on_cpus() == rows_all;
    CHECK((!has_stayed || travelled(rt) == before));
  }
}

TEST_CASE("rows leave CPUs that are slow, and what devices read everywhere no longer goes to the host",
          "[arrays][everywhere][balance]") {
  yoke::runtime rt;
  if (!has_emulated_device_beside_cpus(rt)) return support::skip("no emulated device beside a CPU CU");
  for (const bool replays : {false, true}) {
    CAPTURE(replays);
    mirror_steps<mirrored_faster_on_gpus, blend_in_faster_on_gpus> all{rt, dist::balanced};
    const int loops = all.run_until_on_cpus(0, replays);
    INFO(all.explain());
    CHECK(all.values() == after_steps(loops));
    // By the clock: what decides is tested in virtual time (tests/scheduling/balancer_of_exchanges.cpp).
    if (all.rows_on_cpus() != 0) return support::skip("the machine is too busy to show which is slow");
    const std::size_t before = travelled(rt);
    all.run(1);
    const bool has_stayed = all.rows_on_cpus() == 0;
    CHECK((!has_stayed || travelled(rt) == before));
  }
}
