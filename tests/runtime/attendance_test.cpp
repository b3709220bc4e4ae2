#include "../../runtime/src/attendance.hpp"

#include <limits>
#include <support/catch.hpp>
#include <thread>

using yoke::unit_id;
using yoke::detail::attendance;

namespace {

constexpr unit_id first{0};
constexpr unit_id second{1};
constexpr yoke::seconds for_ever = std::numeric_limits<yoke::seconds>::infinity();
const std::atomic<bool> running{false};  // not stopped

}  // namespace

TEST_CASE("who comes first waits for who is away", "[attendance]") {
  attendance of{2};
  std::atomic<bool> second_came{false};
  std::atomic<bool> first_asks{false};
  std::thread late{[&] {
    while (!first_asks) std::this_thread::yield();
    second_came = true;
    of.begin(second, 0);
  }};
  of.begin(first, 0);
  first_asks = true;
  of.wait_for_all(0, running, for_ever);
  const bool waited = second_came;
  late.join();
  CHECK(waited);
}

// Each of these would wait for ever if it were not so.
TEST_CASE("nobody waits for a CU that is in an earlier pass or ahead, or in a loop that is stopped",
          "[attendance]") {
  attendance of{2};
  of.begin(first, 0);
  of.begin(second, 0);
  of.finish(first, 0);
  of.begin(first, 1);
  of.wait_for_all(1, running, for_ever);  // the second is in pass 0
  of.finish(first, 1);
  of.finish(second, 0);
  of.begin(second, 1);
  of.wait_for_all(1, running, for_ever);  // the first has had pass 1
  of.finish(second, 1);
  of.begin(second, 2);
  of.wait_for_all(2, std::atomic<bool>{true}, for_ever);
  SUCCEED("it came here");
}

TEST_CASE("patience ends, and once lost it is not taken up again", "[attendance]") {
  attendance of{2};
  of.begin(first, 0);
  of.wait_for_all(0, running, 1e-3);
  of.finish(first, 0);
  of.begin(first, 1);
  of.wait_for_all(1, running, 1e300);
  SUCCEED("it came here");
}
