// Work of the host that goes on by itself: who asks whether it is over.
#include "telling.hpp"

#include <atomic>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

using namespace engine_tests;  // NOLINT(google-build-using-namespace)

namespace {

std::shared_ptr<const plan> going_on(std::function<bool()> is_over) {
  return std::make_shared<plan>(
      plan{.name = "exchange", .run = [](const site&) {}, .is_over = std::move(is_over)});
}

}  // namespace

TEST_CASE("a seat whose next work waits for what goes on asks by itself", "[engine]") {
  node on{0, 1};
  const piece x = on.add("x"), y = on.add("y");
  std::atomic<std::thread::id> seat;
  std::atomic<int> by_seat{0}, by_others{0};
  tell(on, on.engine->seat(0),
       doing("first",
             [&](const site& at) {
               seat = std::this_thread::get_id();
               filling(7)->run(at);
             }),
       {{x, role::out}});
  tell(on, on.engine->host(), going_on([&] {
         if (std::this_thread::get_id() == seat.load()) return ++by_seat > 0;
         return ++by_others > 1000;
       }),
       {{x, role::in}, {y, role::out}});
  tell(on, on.engine->seat(0), nothing, {{y, role::in}}).wait();
  CHECK(by_seat == 1);
}

TEST_CASE("while all seats compute, what goes on is asked all the same", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x");
  std::atomic<int> asked{0};
  std::atomic<bool> may_end{false};
  const completion computes = tell(on, on.engine->seat(0), doing("computes", [&](const site&) {
                                     while (!may_end) std::this_thread::yield();
                                   }));
  const completion exchange =
      tell(on, on.engine->host(), going_on([&] { return ++asked == 5; }), {{x, role::out}});
  tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}}).wait();
  CHECK(exchange.is_over());
  CHECK_FALSE(computes.is_over());
  may_end = true;
  on.engine->wait();
  CHECK(asked == 5);
}

TEST_CASE("without seats who waits asks, one at a time", "[engine]") {
  node on{1, 0};
  const piece x = on.add("x");
  std::atomic<int> inside{0}, asked{0};
  std::atomic<bool> was_alone{true};
  for (int round = 0; round < 20; ++round) {
    asked = 0;
    tell(on, on.engine->host(), going_on([&] {
           if (++inside > 1) was_alone = false;
           const bool is_over = ++asked > 50;
           --inside;
           return is_over;
         }),
         {{x, role::out}});
    const completion last = tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}});
    std::jthread another{[&] { last.wait(); }};
    last.wait();
  }
  CHECK(was_alone);
}

TEST_CASE("what goes on and fails, when it is begun or asked, fails what waits for it", "[engine]") {
  node on{0, 1};
  const piece x = on.add("x");
  const completion fails =
      tell(on, on.engine->host(), going_on([]() -> bool { throw std::runtime_error{"no peer"}; }),
           {{x, role::out}});
  CHECK(error_of(tell(on, on.engine->seat(0), nothing, {{x, role::in}})) == "no peer");
  CHECK(error_of(fails) == "no peer");
  const completion never_begins =
      tell(on, on.engine->host(),
           std::make_shared<plan>(plan{.name = "exchange",
                                       .run = [](const site&) { throw std::runtime_error{"no message"}; },
                                       .is_over = [] { return true; }}),
           {{x, role::out}});
  CHECK(error_of(never_begins) == "no message");
  CHECK(error_of(tell(on, on.engine->seat(0), nothing, {{x, role::in}})) == "no message");
  tell(on, on.engine->host(), going_on([] { return true; }), {{x, role::out}}).wait();
}
