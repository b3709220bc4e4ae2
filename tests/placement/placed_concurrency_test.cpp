#include "kernels.hpp"
#include "parts.hpp"

#include <array>
#include <atomic>
#include <support/catch.hpp>
#include <thread>
#include <utility>

#include <yoke/error.hpp>

namespace {

using kernels::over;
using kernels::value;
using kernels::values;
using spaces::first;
using spaces::parts;
using spaces::second;
using yoke::placed;

constexpr std::size_t n_shared = 500;

/// Runs `body(0)` … `body(count-1)`, each as that unit in a thread of its own; false when one threw.
template <class Body>
bool as_all_units(int count, const Body& body) {
  std::atomic<bool> good{true};
  std::vector<std::thread> threads;
  for (int unit = 0; unit < count; ++unit) {
    threads.emplace_back([&, unit] {
      try {
        parts::as(unit, [&] { body(unit); });
      } catch (...) {
        good = false;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  return good;
}

/// Four units: 0 on device a, 1 and 2 share b, 3 on c.
struct threads_fixture {
  std::array<std::unique_ptr<yoke::emulated_device>, 3> devices;
  parts runtime;
  values data = values(n_shared, 0);
  placed<value> x{runtime, std::span{data}};

  threads_fixture()
      : devices{device(0, 1), device(1, 3), device(2, 1)},
        runtime{0,
                {devices[0].get(), devices[1].get(), devices[2].get()},
                {devices[0].get(), devices[1].get(), devices[1].get(), devices[2].get()},
                {first, second, second, yoke::space_id{3}}} {}
  static std::unique_ptr<yoke::emulated_device> device(int index, double slowdown) {
    return yoke::make_emulated_device(index, {.memory = 1 << 20, .slowdown = slowdown});
  }
};

}  // namespace

TEST_CASE("units that read copies while one writes see whole writes only", "[placement]") {
  threads_fixture on;
  std::vector<placed<value>> mixed;
  for (int unit = 0; unit < 4; ++unit) {
    mixed.emplace_back(on.runtime, 1);
    mixed.back().host()[0] = 0;
  }
  const bool good = as_all_units(4, [&](int unit) {
    for (int round = 0; round < 60; ++round) {
      if (unit == 0) {
        yoke::launch_here<kernels::scale>(over(n_shared), "scale", on.x, 1, 1);
      } else {
        yoke::launch_here<kernels::note_mixture>({.x = 1}, "note_mixture", std::as_const(on.x),
                                                 mixed[static_cast<std::size_t>(unit)],
                                                 static_cast<value>(n_shared));
      }
    }
    on.runtime.finish(unit);
  });
  CHECK(good);
  for (int unit = 1; unit < 4; ++unit) CHECK(mixed[static_cast<std::size_t>(unit)].host()[0] == 0);
  CHECK(on.x.host()[n_shared - 1] == 60);
}

TEST_CASE("units that write one object in turn lose no write", "[placement]") {
  threads_fixture on;
  const bool good = as_all_units(4, [&](int unit) {
    for (int round = 0; round < 40; ++round)
      yoke::launch_here<kernels::scale>(over(n_shared), "scale", on.x, 1, 1);
    on.runtime.finish(unit);
  });
  CHECK(good);
  const std::span<value> now = on.x.host();
  CHECK(values(now.begin(), now.end()) == values(n_shared, 160));
}

TEST_CASE("many CPU units read one object at once", "[placement]") {
  spaces::two_devices devices;
  parts runtime{6, *devices.a, *devices.b};
  placed<value> x{runtime, n_shared};
  parts::as(6, [&] { yoke::launch_here<kernels::scale>(over(n_shared), "scale", x, 0, 3); });
  std::atomic<int> wrong{0};
  const bool good = as_all_units(8, [&](int) {
    for (int round = 0; round < 30; ++round) {
      if (std::as_const(x).host()[n_shared - 1] != 3) ++wrong;
      static_cast<void>(x.read_here());
    }
  });
  runtime.finish_all();
  CHECK(good);
  CHECK(wrong == 0);
  CHECK(x.where() == first);
}

TEST_CASE("placed objects are made and go in all units at once", "[placement]") {
  threads_fixture on;
  std::atomic<int> wrong{0};
  const bool good = as_all_units(4, [&](int unit) {
    for (int round = 0; round < 40; ++round) {
      placed<value> mine{on.runtime, 10};
      yoke::launch_here<kernels::scale>({.x = 10}, "scale", mine, 0, unit);
      if (round % 2 == 0 && mine.host()[9] != unit) ++wrong;
    }
  });
  CHECK(good);
  CHECK(wrong == 0);
  for (const auto& device : on.devices) CHECK(device->statistics().bytes_allocated == 0);
}
