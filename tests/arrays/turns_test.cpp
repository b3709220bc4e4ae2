/// Threads of the host that use one runtime: some its arrays, one its runs.
#include <atomic>
#include <support/catch.hpp>
#include <thread>

#include <yoke/arrays.hpp>
#include <yoke/yoke.hpp>

TEST_CASE("a call for an array takes turns with runs of other threads", "[arrays][threads]") {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {64}};
  std::atomic<bool> is_running{false}, has_run{false}, is_done{false};
  bool had_run = false;
  std::thread other{[&] {
    while (!is_running) std::this_thread::yield();
    static_cast<void>(x.gather());
    had_run = has_run;
    is_done = true;
  }};
  rt.each_unit([&](yoke::unit_id unit) {
    if (unit != 0) return;
    is_running = true;
    // It comes to nothing while this runs, however long that takes.
    for (int looks = 0; looks < 20'000 && !is_done; ++looks) std::this_thread::yield();
    has_run = true;
  });
  other.join();
  CHECK(had_run);
}
