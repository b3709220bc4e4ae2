// Work on the CUs of a runtime, beside calls of placement and runs.
#include "told_work.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <thread>

namespace {

using namespace engine_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("work goes from CU to CU with its objects, and calls of placement see what it leaves", "[engine]") {
  yoke::runtime rt;
  runtime_engine& on = runtime_engine::of(rt);
  object x{rt, n, "x"};
  tell(on, 0, step(0, 1, 7), {use(x, role::out)});
  for (int unit = 0; unit < rt.units().size(); ++unit) tell(on, unit, step(1, 1, 1), {use(x, role::inout)});
  std::int64_t number = 7;
  for (int unit = 0; unit < rt.units().size(); ++unit) number = 31 + number;
  CHECK(x.host()[0] == number);
  CHECK(x.where() == yoke::host_space);
  x.host()[1] = 1;
  const completion last = tell(on, rt.units().size() - 1, step(1, 1, 1), {use(x, role::inout)});
  CHECK(std::as_const(x).host()[1] == 32);
  CHECK(last.is_over());
}

TEST_CASE("work of a CPU CU runs on its CPUs, as the CU, with its team", "[engine]") {
  yoke::runtime rt;
  runtime_engine& on = runtime_engine::of(rt);
  std::vector<int> as(static_cast<std::size_t>(rt.units().shape().cpu_units), -1);
  for (int unit = 0; unit < std::ssize(as); ++unit)
    tell(on, unit, doing("look", [&, unit](const site&) {
           const bool is_there =
               rt.units().at(unit_id{unit}).cpus.size() == static_cast<std::size_t>(yoke::cu::n_inner_cpus());
           as[static_cast<std::size_t>(unit)] = is_there ? yoke::cu::cu_id() : -2;
         }));
  on.get().wait();
  for (int unit = 0; unit < std::ssize(as); ++unit) CHECK(as[static_cast<std::size_t>(unit)] == unit);
}

TEST_CASE("a run gets the CPUs, whoever has work there, and gives them back", "[engine]") {
  yoke::runtime rt;
  if (rt.units().shape().cpu_units == 0) return support::skip("no CPU CU");
  runtime_engine& on = runtime_engine::of(rt);
  std::atomic<int> at_work{0}, n_done{0};
  bool met = false;
  const auto count = doing("count", [&](const site&) {
    ++at_work;
    std::this_thread::yield();
    --at_work;
    ++n_done;
  });
  for (int i = 0; i < 1000; ++i) tell(on, 0, count);
  for (int i = 0; i < 5; ++i)
    rt.each_unit([&](unit_id unit) {
      if (unit == 0 && at_work > 0) met = true;
    });
  on.get().wait();
  CHECK_FALSE(met);
  CHECK(n_done == 1000);
}

TEST_CASE("enqueuing in a run is refused", "[engine]") {
  yoke::runtime rt;
  runtime_engine& on = runtime_engine::of(rt);
  std::string text;
  rt.each_unit([&](unit_id unit) {
    if (unit == 0) text = support::refusal([&] { tell(on, 0, doing("late", {})); });
  });
  CHECK_THAT(text, Contains("late: enqueued inside a parallel region"));
}

TEST_CASE("who waits in a run for work that needs the CPUs of the run is told so", "[engine]") {
  yoke::runtime rt;
  if (rt.units().shape().cpu_units == 0) return support::skip("no CPU CU");
  runtime_engine& on = runtime_engine::of(rt);
  object x{rt, n, "x"};
  std::string text;
  rt.each_unit([&](unit_id unit) {
    if (unit != 0) return;
    std::thread{[&] { tell(on, 0, step(0, 1, 5), {use(x, role::out)}); }}.join();
    text = support::refusal([&] { x.here(); });
  });
  CHECK_THAT(text, Contains("step is waited for in a run"));
  CHECK(x.host()[0] == 5);
}

TEST_CASE("an object that goes, and a runtime that ends, wait for the work", "[engine]") {
  std::atomic<bool> is_over{false};
  completion last;
  {
    yoke::runtime rt;
    runtime_engine& on = runtime_engine::of(rt);
    std::promise<void> may_end;
    {
      object x{rt, n, "x"};
      tell(on, 0,
           doing("slow",
                 [&, go = std::make_shared<std::future<void>>(may_end.get_future())](const site&) {
                   if (rt.units().at(unit_id{0}).dev == nullptr) go->wait();
                   is_over = true;
                 }),
           {use(x, role::out)});
      may_end.set_value();
    }
    CHECK(is_over);
    last = tell(on, 0, doing("last", [&](const site&) { is_over = false; }));
  }
  CHECK_FALSE(is_over);
  CHECK(last.is_over());
}

TEST_CASE("an object of another runtime is refused", "[engine]") {
  yoke::runtime rt, other;
  object x{other, n, "x"};
  CHECK_THAT(support::refusal([&] { yoke::detail::named(rt.memory(), *x.use().region); }),
             Contains("belongs to another runtime than the work"));
}

TEST_CASE("what has failed is thrown by who asks for its object, once, and its successors fail", "[engine]") {
  yoke::runtime rt;
  runtime_engine& on = runtime_engine::of(rt);
  object x{rt, n, "x"};
  const completion bad =
      tell(on, 0, doing("bad", [](const site&) { throw std::runtime_error{"bad"}; }), {use(x, role::out)});
  const completion after = tell(on, rt.units().size() - 1, step(1, 1, 1), {use(x, role::inout)});
  CHECK_THROWS_WITH(x.host(), "bad");
  CHECK_THROWS_WITH(after.wait(), "bad");
  CHECK_THROWS_WITH(bad.wait(), "bad");
  x.host()[0] = 1;
  tell(on, 0, step(1, 1, 1), {use(x, role::inout)});
  CHECK(x.host()[0] == 32);
}

TEST_CASE("who is told of an end may tell of more work", "[engine]") {
  yoke::runtime rt;
  runtime_engine& on = runtime_engine::of(rt);
  object x{rt, n, "x"};
  constexpr int most = 100;
  int n_told = 0;
  std::promise<void> all_over;
  const int n_units = rt.units().size();
  std::function<void(const std::exception_ptr&)> next = [&](const std::exception_ptr& error) {
    if (error != nullptr || n_told == most) return all_over.set_value();
    const unit_id unit{n_told++ % n_units};
    const placed_argument all[] = {use(x, role::inout)};
    on.tell(on.lane_of(unit), on.memory_of(unit), step(1, 1, 0), all, {}, next);
  };
  tell(on, 0, step(0, 1, 1), {use(x, role::out)});
  next(nullptr);
  on.get().start();
  auto is_over = all_over.get_future();
  while (is_over.wait_for(std::chrono::seconds{0}) != std::future_status::ready) on.get().wait();
  CHECK(n_told == most);
  CHECK(x.host()[0] == 1);
}
