#include "driver/step/publication.hpp"

#include <atomic>
#include <support/assertions.hpp>
#include <support/catch.hpp>
#include <thread>
#include <vector>

#include <yoke/error.hpp>

using npb::publication;

TEST_CASE("a zone is published for the steps up to the one after its last", "[npb]") {
  publication order{2};
  CHECK(order.is_published(0, 0));
  CHECK_FALSE(order.is_published(0, 1));
  order.publish(0, 0);
  CHECK(order.is_published(0, 1));
  CHECK_FALSE(order.is_published(1, 1));
}

TEST_CASE("whoever waits for a zone sees what was written before it was published", "[npb]") {
  constexpr int steps = 200;
  publication order{2};
  std::vector<int> value(2, 0);  // plain: the publication alone orders the accesses
  std::atomic<int> mismatches{0};
  std::thread first{[&] {
    for (int step = 0; step < steps; ++step) {
      order.wait(1, step);
      if (value[1] != step) ++mismatches;
      value[0] = step + 1;
      order.publish(0, step);
    }
  }};
  for (int step = 0; step < steps; ++step) {
    order.wait(0, step + 1);
    if (value[0] != step + 1) ++mismatches;
    value[1] = step + 1;
    order.publish(1, step);
  }
  first.join();
  CHECK(mismatches == 0);
}

TEST_CASE("after a failure every wait ends, also one that has begun", "[npb]") {
  constexpr int of_each = 4;
  for (int round = 0; round < 20; ++round) {
    publication order{3};
    std::atomic<int> ended{0};
    std::vector<std::thread> waiting;
    for (int i = 0; i < 3 * of_each; ++i) {
      waiting.emplace_back([&, i] {
        try {
          order.wait(i % 3, 1);
        } catch (const npb::stopped&) {
          ++ended;
        }
      });
    }
    for (int zone = 0; zone < 3; ++zone)
      while (order.sleepers(zone) < of_each) std::this_thread::yield();
    for (int i = 0; i < 200; ++i) std::this_thread::yield();  // most of them are asleep then
    CHECK(ended == 0);
    order.stop();
    for (std::thread& thread : waiting) thread.join();
    CHECK(ended == 3 * of_each);
  }
}

TEST_CASE("a publication that was stopped stays so until it is reset", "[npb]") {
  publication order{3};
  order.stop();
  CHECK_THROWS_AS(order.wait(2, 1), npb::stopped);
  order.publish(0, 0);  // a unit that had not noticed yet
  CHECK_THROWS_AS(order.wait(0, 1), npb::stopped);
  order.reset(0);
  CHECK_NOTHROW(order.wait(0, 0));
}

TEST_CASE("a wait for any condition ends when it is true, or with an error after a stop", "[npb]") {
  publication order{1};
  int looks = 0, rests = 0;
  order.wait_until([&] { return ++looks == 3; }, [&] { ++rests; });
  CHECK(looks == 3);
  CHECK(rests == 2);
  CHECK_THROWS_AS(order.wait_until([] { return false; }, [&] { order.stop(); }), npb::stopped);
  CHECK_THROWS_AS(order.wait_until([] { return true; }), npb::stopped);
}

TEST_CASE("a zone that is published twice for one step breaks an assertion", "[npb][assertion]") {
  publication order{2};
  order.publish(0, 0);
  CHECK_THAT(support::assertion_of([&] { order.publish(0, 0); }),
             Catch::Contains("a zone was published twice for one step"));
  CHECK(support::assertion_of([&] { order.publish(0, 1); }) == "(no assertion fired)");
}
