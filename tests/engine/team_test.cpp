// Work of the team: told to whoever does it, and over when that says so.
#include "telling.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <support/catch.hpp>
#include <thread>
#include <utility>
#include <vector>

using namespace engine_tests;  // NOLINT(google-build-using-namespace)

namespace {

/// What the team was told, for a thread that does it.
class told_work {
 public:
  /// Its plan of that name: `run` when it is done.
  std::shared_ptr<const plan> doing_later(std::string name, std::function<void(void* first)> run) {
    return doing(std::move(name), [this, run = std::move(run)](const site& at) {
      const std::lock_guard guard{lock_};
      all_.push_back({run, at.addresses.empty() ? nullptr : at.addresses[0], at.over});
      has_more_.notify_one();
    });
  }
  /// The oldest that has begun, when there is one.
  void do_one() {
    std::unique_lock guard{lock_};
    has_more_.wait(guard, [this] { return !all_.empty(); });
    const told next = std::move(all_.front());
    all_.pop_front();
    guard.unlock();
    std::exception_ptr error;
    try {
      next.run(next.address);
    } catch (...) {
      error = std::current_exception();
    }
    next.over(error);
  }
  std::size_t begun() {
    const std::lock_guard guard{lock_};
    return all_.size();
  }

 private:
  struct told {
    std::function<void(void*)> run;
    void* address;
    std::function<void(const std::exception_ptr&)> over;
  };
  std::mutex lock_;
  std::condition_variable has_more_;
  std::deque<told> all_;
};

auto writing(std::int64_t value) {
  return [value](void* to) { std::fill_n(static_cast<std::int64_t*>(to), n_numbers, value); };
}

}  // namespace

TEST_CASE("work of the team is over when it says so, and others wait for it", "[engine]") {
  node on{1, 1};
  const piece x = on.add("x");
  told_work team;
  const completion made = tell(on, on.engine->team(), team.doing_later("team", writing(5)), {{x, role::out}});
  std::int64_t seen = 0;
  const completion reads =
      tell(on, on.engine->seat(0),
           doing("reads", [&](const site& at) { seen = *static_cast<const std::int64_t*>(at.addresses[0]); }),
           {{x, role::in}});
  const completion travels = tell(on, on.engine->queue(first_gpu), nothing, {{x, role::in}});
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  CHECK(!made.is_over());
  CHECK(!reads.is_over());
  CHECK(!travels.is_over());
  std::jthread member{[&] { team.do_one(); }};
  reads.wait();
  travels.wait();
  CHECK(made.is_over());
  CHECK(seen == 5);
}

TEST_CASE("several works of the team have begun at a time, each when what it reads is there", "[engine]") {
  node on{0, 1};
  const piece x = on.add("x"), y = on.add("y");
  told_work team;
  tell(on, on.engine->team(), team.doing_later("first", writing(1)), {{x, role::out}});
  tell(on, on.engine->team(), team.doing_later("second", writing(2)), {{x, role::inout}});
  CHECK(team.begun() == 2);
  std::atomic<bool> may_end{false};
  tell(on, on.engine->seat(0),
       doing("fills",
             [&](const site& at) {
               while (!may_end) std::this_thread::yield();
               filling(9)->run(at);
             }),
       {{y, role::out}});
  std::int64_t third = 0;
  const completion last =
      tell(on, on.engine->team(),
           team.doing_later("third", [&](void* of) { third = *static_cast<const std::int64_t*>(of); }),
           {{y, role::in}, {x, role::in}});
  CHECK(team.begun() == 2);
  may_end = true;
  for (int i = 0; i < 3; ++i) team.do_one();
  last.wait();
  CHECK(third == 9);
  CHECK((*on.host_of(x))[0] == 2);
}

TEST_CASE("an error of the team's work is that of what reads its results", "[engine]") {
  node on{0, 1};
  const piece x = on.add("x"), y = on.add("y");
  told_work team;
  const completion fails =
      tell(on, on.engine->team(),
           team.doing_later("fails", [](void*) { throw std::runtime_error{"no shares"}; }), {{x, role::out}});
  bool has_read = false;
  const completion reads =
      tell(on, on.engine->seat(0), doing("reads", [&](const site&) { has_read = true; }), {{x, role::in}});
  const completion other =
      tell(on, on.engine->team(), team.doing_later("goes on", writing(3)), {{y, role::out}});
  const completion refuses = tell(
      on, on.engine->team(), doing("refuses", [](const site&) { throw std::runtime_error{"not told"}; }));
  team.do_one();
  team.do_one();
  CHECK(error_of(fails) == "no shares");
  CHECK(error_of(reads) == "no shares");
  CHECK(error_of(other) == "(nothing was thrown)");
  CHECK(error_of(refuses) == "not told");
  CHECK(!has_read);
}

TEST_CASE("who has no work of the team left waits for the device where its next work does", "[engine]") {
  node on{1, 1, {.slowdown = 1}};
  const piece x = on.add("x");
  told_work team;
  CHECK(!on.engine->wait_for_team());
  tell(on, on.engine->queue(first_gpu), nothing, {{x, role::out}});
  const completion last =
      tell(on, on.engine->team(), team.doing_later("reads", [](void*) {}), {{x, role::in}});
  for (int i = 0; i < 1000 && team.begun() == 0; ++i) on.engine->wait_for_team();
  REQUIRE(team.begun() == 1);
  CHECK(!on.engine->wait_for_team());
  team.do_one();
  last.wait();
}

TEST_CASE("what goes on at the host is asked while seats are busy with the team", "[engine]") {
  node on{0, 1};
  const piece x = on.add("x");
  told_work team;
  std::atomic<bool> is_over{false}, has_begun{false};
  std::atomic<int> asked{0};
  tell(on, on.engine->team(), team.doing_later("first", writing(1)), {{x, role::out}});
  // Begins when the seat says that the team's work is over, in its own.
  const completion exchange = tell(on, on.engine->host(),
                                   std::make_shared<plan>(plan{.name = "exchange",
                                                               .run = [&](const site&) { has_begun = true; },
                                                               .is_over = [&] { return ++asked > 2; }}),
                                   {{x, role::inout}});
  const completion last =
      tell(on, on.engine->team(), team.doing_later("second", [](void*) {}), {{x, role::in}});
  const completion helps = tell(on, on.engine->seat(0), doing("helps", [&](const site&) {
                                  team.do_one();
                                  team.do_one();  // waits until the second has begun
                                  is_over = true;
                                }));
  helps.wait();
  last.wait();
  CHECK(has_begun);
  CHECK(is_over);
  CHECK(exchange.is_over());
}

TEST_CASE("who hears that work of the team is over may tell of more", "[engine]") {
  node on{0, 1};
  told_work team;
  std::atomic<bool> has_told{false};
  completion more;
  on.engine->expect_more();
  const completion first = on.engine->tell(on.engine->team(), team.doing_later("first", [](void*) {}), {}, {},
                                           {}, [&](const std::exception_ptr&) {
                                             more = on.engine->tell(on.engine->seat(0), nothing, {}, {}, {});
                                             on.engine->expect_no_more();
                                             has_told = true;
                                           });
  on.engine->start();
  tell(on, on.engine->seat(0), doing("helps", [&](const site&) { team.do_one(); })).wait();
  for (int i = 0; i < 2000 && !has_told; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  REQUIRE(has_told);
  on.engine->start();
  more.wait();
  CHECK(first.is_over());
}
