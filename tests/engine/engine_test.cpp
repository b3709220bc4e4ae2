#include "step_kernel.hpp"
#include "telling.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <optional>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <yoke/kernel.hpp>

using Catch::Contains;
using namespace engine_tests;  // NOLINT(google-build-using-namespace)

namespace {

/// A kernel that does not end before somebody says so.
struct until_told {
  static inline std::atomic<bool> is_told{false};
  void operator()(yoke::item) const {
    while (!is_told) std::this_thread::yield();
  }
};

}  // namespace

TEST_CASE("what is written on a seat is brought to a device, and back", "[engine]") {
  node on{2, 1};
  const piece x = on.add("x");
  tell(on, on.engine->seat(0), filling(7), {{x, role::out}});
  const auto add_to_it = doing("add", [](const site& at) {
    engine_tests::step_call call;
    call.n = 1;
    call.reads = call.writes = 1;
    call.number = 2;
    call.at[0] = yoke::device_ptr<std::int64_t>{static_cast<std::int64_t*>(at.addresses[0])};
    engine_tests::launch_step(*at.dev, at.stream, n_numbers, call);
  });
  tell(on, on.engine->queue(second_gpu), add_to_it, {{x, role::inout}});
  const completion back = tell(on, on.engine->host(), nothing, {{x, role::in}});
  back.wait();
  CHECK(back.is_over());
  CHECK(on.host[0]->back() == 2 * 31 + 7);
}

TEST_CASE("nothing is held while a body sleeps", "[engine]") {
  std::latch runs{1}, may_end{1};
  node on{0, 2};
  const completion slow = tell(on, on.engine->seat(0), doing("slow", [&](const site&) {
                                 runs.count_down();
                                 may_end.wait();
                               }));
  runs.wait();
  const auto from = std::chrono::steady_clock::now();
  tell(on, on.engine->seat(1), nothing).wait();
  const piece x = on.add("x");
  on.engine->remove(x);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  CHECK_FALSE(slow.is_over());
  CHECK(took.count() < 1);  // it would be for ever
  may_end.count_down();
  slow.wait();
}

TEST_CASE("seats work side by side", "[engine]") {
  std::latch both{2};
  node on{0, 2};
  const auto meet = doing("meet", [&](const site&) { both.arrive_and_wait(); });
  tell(on, on.engine->seat(0), meet);
  tell(on, on.engine->seat(1), meet).wait();
}

TEST_CASE("work that runs may not wait, enqueue or remove", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x");
  const completion before = tell(on, on.engine->seat(0), nothing);
  const auto on_seat = [&](std::function<void()> what) {
    return error_of(tell(on, on.engine->seat(0), doing("bad", [what](const site&) { what(); })));
  };
  CHECK(on_seat([&] { before.wait(); }) == "nothing is waited for, which work that runs may not do");
  CHECK(on_seat([&] { on.engine->wait(); }) == "all work is waited for, which work that runs may not do");
  CHECK(on_seat([&] { on.engine->remove(x); }) == "a piece is removed, which work that runs may not do");
  CHECK(on_seat([&] { tell(on, on.engine->seat(0), nothing); }) ==
        "nothing is enqueued, which work that runs may not do");
  const completion on_queue =
      tell(on, on.engine->queue(first_gpu), doing("bad", [&](const site&) { before.wait(); }));
  CHECK(error_of(on_queue) == "nothing is waited for, which work that runs may not do");
}

TEST_CASE("wrong use is refused, and nothing is told", "[engine]") {
  node on{1, 1};
  const piece x = on.engine->add("x", 8, {nullptr, nullptr});
  const piece y = on.add("y");
  CHECK(support::refusal([&] { static_cast<void>(on.engine->seat(1)); }) == "seat 1: the engine has 1");
  CHECK(support::refusal([&] { static_cast<void>(on.engine->queue(second_gpu)); }) ==
        "queue 0 of memory 2: the engine has 2 of each memory from 1 to 1");
  CHECK(support::refusal([&] { tell(on, on.engine->seat(0), nothing, {{x, role::out}}); }) ==
        "x has no memory in space 0; give one where it is added");
  CHECK_THAT(support::refusal([&] { tell(on, on.engine->seat(0), nothing, {{y, role::in}}); }),
             Contains("nothing: it reads y, to which nothing has been written yet"));
  CHECK(support::refusal([&] { on.engine->add("z", 8, {nullptr}); }) == "z: 1 addresses for 2 memories");
  on.engine->wait();
}

TEST_CASE("steps that are fused are one piece of work, as often as one likes", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x"), y = on.add("y");
  const auto counting = [](std::string name, std::int64_t number) {
    return doing(std::move(name), [number](const site& at) {
      engine_tests::step_call call;
      call.n = static_cast<int>(at.addresses.size());
      call.reads = call.writes = 1;
      call.number = number;
      for (int k = 0; k < call.n; ++k)
        call.at[k] = yoke::device_ptr<std::int64_t>{static_cast<std::int64_t*>(at.addresses[k])};
      if (at.dev != nullptr) return engine_tests::launch_step(*at.dev, at.stream, n_numbers, call);
      for (std::size_t i = 0; i < n_numbers; ++i) call.run(static_cast<std::int64_t>(i));
    });
  };
  for (const lane_id where : {on.engine->seat(0), on.engine->queue(first_gpu)}) {
    const yoke::flow::step both[] = {{counting("one", 1), {{x, role::inout}}},
                                     {counting("two", 2), {{y, role::inout}, {x, role::in}}}};
    const yoke::flow::step fused = on.engine->fuse(where, both);
    CHECK(fused.what->name == "one, two");
    REQUIRE(fused.arguments.size() == 2);
    CHECK(fused.arguments[0].as == role::inout);
    for (const piece each : {x, y}) tell(on, on.engine->seat(0), filling(0), {{each, role::out}});
    for (int i = 0; i < 3; ++i) tell(on, where, fused.what, fused.arguments);
    tell(on, on.engine->host(), nothing, {{x, role::in}, {y, role::in}}).wait();
    CHECK(on.host[0]->front() == 3 * (1 * 31));
    CHECK(on.host[1]->front() == 3 * (2 * 31));
  }
}

TEST_CASE("steps that are fused keep what their plans keep", "[engine]") {
  node on{1, 1};
  for (const lane_id where : {on.engine->seat(0), on.engine->queue(first_gpu)}) {
    auto kept = std::make_shared<int>(1);
    const std::weak_ptr<int> is_there = kept;
    yoke::flow::step fused;
    {
      const yoke::flow::step one[] = {{doing("one", [kept = std::move(kept)](const site&) {}), {}}};
      fused = on.engine->fuse(where, one);
    }
    CHECK_FALSE(is_there.expired());
    fused = {};
    CHECK(is_there.expired());
  }
}

TEST_CASE("who waits for work that marks its end does not wait for what its queue does next", "[engine]") {
  node on{2, 0};
  const piece x = on.add("x");
  const auto first = std::make_shared<yoke::flow::plan>(yoke::flow::plan{"first", [](const site&) {}, true});
  tell(on, on.engine->queue(first_gpu), first, {{x, role::out}});
  tell(on, on.engine->queue(first_gpu), doing("held up", [](const site& at) {
         yoke::launch<until_told>(*at.dev, at.stream, {.x = 1}, "until told");
       }));
  tell(on, on.engine->queue(yoke::space_id{2}), nothing, {{x, role::in}}).wait();
  until_told::is_told = true;
  on.engine->wait();
}

TEST_CASE("a step that cannot be recorded is told where it is fused", "[engine]") {
  node on{1, 0};
  const yoke::flow::step bad[] = {
      {nothing, {}}, {doing("bad", [](const site&) { throw std::runtime_error{"no luck"}; }), {}}};
  CHECK_THROWS_WITH(on.engine->fuse(on.engine->queue(first_gpu), bad), "no luck");
  tell(on, on.engine->queue(first_gpu), nothing).wait();
}

TEST_CASE("what is another engine's, or was removed, is refused", "[engine]") {
  node on{0, 1}, other{0, 3};
  const piece x = on.add("x");
  const completion foreign = tell(other, other.engine->seat(0), nothing);
  CHECK(support::refusal([&] { tell(on, on.engine->seat(0), nothing, {}, {foreign}); }) ==
        "nothing: it is to come after nothing, which is another engine's; wait for that");
  CHECK(support::refusal([&] { tell(on, other.engine->host(), nothing); }) ==
        "lane 3: the engine has 3; take one of seat(), queue(), host() or team()");
  on.engine->remove(x);
  CHECK(support::refusal([&] { tell(on, on.engine->seat(0), nothing, {{x, role::out}}); }) ==
        "piece 0: it was removed, or is another engine's");
  on.engine->wait();
}

TEST_CASE("a completion outlives its engine, and what is dropped is done", "[engine]") {
  std::optional<completion> end;
  std::atomic<int> done = 0;
  {
    node on{0, 1};
    const auto count = doing("count", [&](const site&) { ++done; });
    end = tell(on, on.engine->seat(0), count);
    try {
      const completion dropped = tell(on, on.engine->seat(0), count);
      throw std::runtime_error{"unwinding"};
    } catch (const std::runtime_error&) {
      CHECK(true);
    }
  }
  CHECK(done == 2);
  CHECK(end->is_over());
  end->wait();
  completion{}.wait();
}

TEST_CASE("a piece is removed when what uses it is over", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x");
  std::atomic<bool> is_done = false;
  tell(on, on.engine->seat(0),
       doing("slow",
             [&](const site&) {
               std::this_thread::sleep_for(std::chrono::milliseconds{20});
               is_done = true;
             }),
       {{x, role::out}});
  tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}});
  on.engine->remove(x);
  CHECK(is_done);
}

TEST_CASE("very much work without a wait holds its enqueuer up, not the machine", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x");
  tell(on, on.engine->seat(0), filling(0), {{x, role::out}});
  for (int i = 0; i < 20'000; ++i) {
    const lane_id where = i % 3 == 0 ? on.engine->seat(0) : on.engine->queue(first_gpu, i % 2);
    tell(on, where, nothing, {{x, i % 7 == 0 ? role::inout : role::in}});
  }
  on.engine->wait();
}

TEST_CASE("work of an engine may use another engine", "[engine]") {
  node on{0, 1}, other{0, 1};
  const completion outer = tell(on, on.engine->seat(0), doing("outer", [&](const site&) {
                                  tell(other, other.engine->seat(0), nothing).wait();
                                  on.engine->wait();
                                }));
  CHECK(error_of(outer) == "all work is waited for, which work that runs may not do");
}

TEST_CASE("work on the host may wait for others, and lanes go on meanwhile", "[engine]") {
  std::latch may_end{1};
  node on{1, 1};
  const piece x = on.add("x"), y = on.add("y"), z = on.add("z");
  tell(on, on.engine->seat(0), filling(3), {{x, role::out}});
  std::int64_t seen = 0;
  const completion exchange = tell(on, on.engine->host(),
                                   doing("exchange",
                                         [&](const site& at) {
                                           seen = *static_cast<const std::int64_t*>(at.addresses[0]);
                                           may_end.wait();
                                           filling(9)->run({nullptr, {}, at.memory, at.addresses.subspan(1)});
                                         }),
                                   {{x, role::in}, {y, role::out}});
  const completion reads = tell(on, on.engine->queue(first_gpu), nothing, {{y, role::in}});
  tell(on, on.engine->seat(0), filling(4), {{z, role::out}}).wait();
  CHECK_FALSE(exchange.is_over());
  CHECK_FALSE(reads.is_over());
  may_end.count_down();
  reads.wait();
  CHECK(seen == 3);
  CHECK(on.host[1]->front() == 9);

  const completion fails =
      tell(on, on.engine->host(), doing("exchange", [](const site&) { throw std::runtime_error{"no peer"}; }),
           {{y, role::out}});
  CHECK(error_of(tell(on, on.engine->queue(first_gpu), nothing, {{y, role::in}})) == "no peer");
  CHECK(error_of(fails) == "no peer");
}
