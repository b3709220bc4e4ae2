/// Threads of the host that use one runtime: some its arrays, one its runs.
#include <atomic>
#include <support/catch.hpp>
#include <thread>

#include <yoke/arrays.hpp>
#include <yoke/yoke.hpp>

namespace {

/// Whether gather on another thread, which is called while `busy` calls what it is given, comes to its end
/// behind that, however long it takes.
template <class Busy>
bool comes_behind(const Busy& busy) {
  yoke::runtime rt;
  const yoke::array<double, 1> x{rt, {64}};
  std::atomic<bool> is_busy{false}, was_busy{false}, is_done{false};
  bool came_behind = false;
  std::thread other{[&] {
    while (!is_busy) std::this_thread::yield();
    static_cast<void>(x.gather());
    came_behind = was_busy;
    is_done = true;
  }};
  busy(rt, [&] {
    is_busy = true;
    for (int looks = 0; looks < 20'000 && !is_done; ++looks) std::this_thread::yield();
    was_busy = true;
  });
  other.join();
  return came_behind;
}

}  // namespace

TEST_CASE("a call for an array takes turns with runs of other threads", "[arrays][threads]") {
  CHECK(comes_behind([](yoke::runtime& rt, const auto& wait) {
    rt.each_unit([&](yoke::unit_id unit) {
      if (unit == 0) wait();
    });
  }));
}

TEST_CASE("a call for an array takes turns with recordings of other threads", "[arrays][threads]") {
  CHECK(comes_behind(
      [](yoke::runtime& rt, const auto& wait) { const yoke::recording nothing = yoke::record(rt, wait); }));
}
