#include "../../runtime/src/loop_memory.hpp"

#include <new>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/error.hpp>

using yoke::detail::loop_memory;

TEST_CASE("what a loop finds no memory for is told with the number of its tasks", "[task_loop]") {
  const loop_memory of_eight{{.n_tasks = 8}};
  const char* const says = "make_loop: 8 tasks need 160 bytes of host memory and more";
  const auto told = [&](const auto& make) {
    return support::message_of<yoke::out_of_memory>([&] { of_eight.in_it(make); });
  };
  CHECK_THAT(told([]() -> int { throw std::bad_alloc{}; }), Catch::Matchers::StartsWith(says));
  CHECK_THAT(told([]() -> int { throw std::length_error{"vector::reserve"}; }),
             Catch::Matchers::StartsWith(says));
  CHECK_THROWS_AS(of_eight.in_it([]() -> int { throw yoke::usage_error{"wrong"}; }), yoke::usage_error);
  CHECK(of_eight.in_it([] { return 5; }) == 5);
}
