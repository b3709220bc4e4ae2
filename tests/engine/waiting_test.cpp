#include "fixture.hpp"
#include "telling.hpp"

#include <chrono>
#include <ctime>
#include <support/catch.hpp>
#include <thread>

using namespace engine_tests;  // NOLINT(google-build-using-namespace)

namespace {

double seconds_of_this_thread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

TEST_CASE("who waits for work of a seat leaves the CPUs to it", "[engine]") {
  node on{0, 4};
  const auto short_work =
      doing("short", [](const site&) { std::this_thread::sleep_for(std::chrono::microseconds{100}); });
  const bool of_one = GENERATE(true, false);
  completion last;
  for (int i = 0; i < 2000; ++i) last = tell(on, on.engine->seat(i % 4), short_work);
  const auto from = std::chrono::steady_clock::now();
  const double used_before = seconds_of_this_thread();
  of_one ? last.wait() : on.engine->wait();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  CHECK(took.count() > 0.02);
  CHECK(seconds_of_this_thread() - used_before <
        took.count() / 4);  // it looked at each change once: all of it
}
