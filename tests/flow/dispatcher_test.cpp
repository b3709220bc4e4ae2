#include "asked.hpp"

#include <support/catch.hpp>
#include <support/errors.hpp>

namespace {

using namespace flow_tests;  // NOLINT(google-build-using-namespace)

}  // namespace

TEST_CASE("pieces of one memory that one piece of work has written travel together", "[flow]") {
  node on;
  on.tell(seat, {{on.x, role::out}, {on.y, role::out}});
  on.tell(seat, {{on.z, role::out}});
  const work_ptr reader = on.tell(gpu, {{on.x, role::in}, {on.y, role::in}, {on.z, role::in}});
  CHECK(on.all.n_waiting(gpu) == 3);
  auto next = on.begun();
  REQUIRE(next.size() == 1);
  on.all.end(next[0].what);
  next = on.begun();
  REQUIRE(next.size() == 2);  // the second writer, and what is ready
  const yoke::flow::transfer* const both = next[1].what->brings();
  REQUIRE(both != nullptr);
  CHECK(both->pieces == std::vector{on.x, on.y});
  CHECK(both->from == space_id{0});
  CHECK(both->to == space_id{1});
  CHECK(next[1].what->name() == "work");
  on.all.end(next[0].what);
  next = on.begun();
  REQUIRE(next.size() == 2);
  CHECK(next[0].what->brings()->pieces == std::vector{on.z});
  CHECK(next[1].what == reader);
}

TEST_CASE("pieces that nobody writes any more travel together, whoever has written them", "[flow]") {
  node on;
  on.tell(seat, {{on.x, role::out}});
  on.tell(seat, {{on.y, role::out}});
  on.run_all();
  on.tell(gpu, {{on.x, role::in}, {on.y, role::in}});
  CHECK(on.all.n_waiting(gpu) == 2);
}

TEST_CASE("work that uses a piece in another memory finds it there", "[flow]") {
  const space_id there{1};
  node on;
  on.tell(gpu, {{on.x, role::out}});
  on.run_all();
  const work_ptr reader = on.tell(seat, {{on.x, role::in, there}});
  CHECK(on.all.n_waiting(gpu) + on.all.n_waiting(seat) == 1);
  on.run_all();
  CHECK_FALSE(reader->is_under_way());
  on.tell(seat, {{on.y, role::out, there}});
  on.tell(gpu, {{on.y, role::in}});
  std::size_t n_brought = 0;
  for (auto starts = on.begun(); !starts.empty(); starts = on.begun())
    for (const auto& each : starts) {
      n_brought += each.what->brings() != nullptr ? 1 : 0;
      on.all.end(each.what);
    }
  CHECK(n_brought == 0);
  on.tell(seat, {{on.z, role::out}});
  on.tell(seat, {{on.z, role::in, there}});
  const auto next = on.begun();
  REQUIRE(next.size() == 1);
  on.all.end(next[0].what);
  const auto way = on.begun();
  REQUIRE(way.size() == 1);
  REQUIRE(way[0].what->brings() != nullptr);
  CHECK(way[0].what->brings()->to == there);
}

TEST_CASE("what is there, and what is overwritten, does not travel", "[flow]") {
  node on;
  on.tell(seat, {{on.x, role::out}});
  on.tell(gpu, {{on.x, role::in}});
  on.run_all();
  on.tell(beside, {{on.x, role::in}});
  on.tell(gpu, {{on.x, role::inout}});
  on.tell(other_gpu, {{on.x, role::out}});
  std::size_t n_brought = 0;
  for (auto starts = on.begun(); !starts.empty(); starts = on.begun()) {
    for (const auto& each : starts) {
      n_brought += each.what->brings() != nullptr ? 1 : 0;
      on.all.end(each.what);
    }
  }
  CHECK(n_brought == 0);
  CHECK(on.table.home_of(on.x) == space_id{2});
  CHECK_FALSE(on.table.holds(on.x, space_id{1}));
}

TEST_CASE("what has no way goes through the host, and stays there for the next one", "[flow]") {
  node on;
  on.tell(gpu, {{on.x, role::out}});
  on.tell(foreign, {{on.x, role::in}});
  CHECK(on.all.n_waiting(gpu) == 2);
  CHECK(on.all.n_waiting(foreign) == 2);
  on.run_all();
  for (const int memory : {0, 1, 3}) CHECK(on.table.holds(on.x, space_id{memory}));
  on.table.forget(on.x, space_id{3});
  on.tell(foreign, {{on.x, role::in}});
  CHECK(on.all.n_waiting(gpu) == 0);
}

TEST_CASE("what one waits for is known", "[flow]") {
  node on;
  const work_ptr first = on.tell(seat, {{on.x, role::out}});
  const work_ptr second = on.tell(seat, {{on.y, role::out}});
  const work_ptr last = on.tell(gpu, {{on.y, role::in}});
  CHECK(on.all.held_up_by(last) == nullptr);  // something may begin
  on.begun();
  CHECK(on.all.held_up_by(last) == first);
  CHECK(on.all.held_up_by(first) == first);
  on.all.end(first);
  CHECK(on.all.held_up_by(first) == nullptr);
  on.begun();
  CHECK(on.all.held_up_by(last) == second);
}

TEST_CASE("queues of a backend wait for each other, and for others the host does", "[flow]") {
  node on;
  const work_ptr first = on.tell(gpu, {{on.x, role::out}});
  on.tell(beside, {{on.x, role::in}});
  on.tell(foreign, {}, {first});
  auto next = on.begun();
  REQUIRE(next.size() == 2);
  CHECK(next[0].behind.size() == 0);
  REQUIRE(next[1].behind.size() == 1);
  CHECK(*next[1].behind.begin() == first);
  CHECK(on.all.n_waiting(foreign) == 1);
  on.all.end(first);
  CHECK(on.begun().size() == 1);
}

TEST_CASE("a seat has one piece of work at a time, and nothing that still waits", "[flow]") {
  node on;
  const work_ptr on_gpu = on.tell(gpu, {{on.x, role::out}});
  const work_ptr first = on.tell(seat, {{on.y, role::out}});
  const work_ptr second = on.tell(seat, {}, {on_gpu});
  CHECK(on.begun().size() == 2);
  on.all.end(first);
  CHECK(on.begun().empty());
  on.all.end(on_gpu);
  const auto next = on.begun();
  REQUIRE(next.size() == 1);
  CHECK(next[0].what == second);
  CHECK(next[0].behind.size() == 0);
}

TEST_CASE("reading what nobody has written is refused, and nothing is told", "[flow]") {
  node on;
  const auto read = [&] { on.tell(gpu, {{on.x, role::out}, {on.y, role::inout}}); };
  CHECK(support::refusal(read) ==
        "work: it reads y, to which nothing has been written yet; let it write all of it, or something "
        "before it");
  CHECK(on.all.is_idle());
  CHECK(on.table.state_of(on.x) == state::empty);
}

TEST_CASE("what reads a broken piece fails with the same error, and all else goes on", "[flow]") {
  node on;
  const std::exception_ptr error = an_error();
  const work_ptr fails = on.tell(seat, {{on.x, role::out}});
  const work_ptr reads = on.tell(gpu, {{on.x, role::in}, {on.y, role::out}});
  const work_ptr comes_after = on.tell(beside, {}, {reads});
  const work_ptr elsewhere = on.tell(foreign, {{on.z, role::out}});
  CHECK(on.begun().size() == 2);
  on.all.fail(fails, error);
  on.all.end(elsewhere);
  CHECK(on.begun().empty());
  for (const work_ptr& each : {fails, reads, comes_after}) CHECK(each->error() == error);
  CHECK(on.all.take_failed() == std::vector{fails});
  CHECK(on.all.take_failed().empty());
  CHECK(elsewhere->error() == nullptr);
  CHECK(on.table.state_of(on.y) == state::broken);
  const work_ptr too_late = on.tell(seat, {{on.y, role::inout}});
  on.run_all();
  CHECK(too_late->error() == error);
  const work_ptr mends = on.tell(seat, {{on.y, role::out}});
  on.run_all();
  CHECK(mends->error() == nullptr);
  CHECK(on.table.state_of(on.y) == state::whole);
}

TEST_CASE("work that a device has taken already fails where what it read has failed", "[flow]") {
  node on;
  const std::exception_ptr error = an_error();
  const work_ptr fails = on.tell(gpu, {{on.x, role::out}});
  const work_ptr reads = on.tell(beside, {{on.x, role::in}});
  CHECK(on.begun().size() == 2);
  on.all.end(reads);  // known to be through before the other one
  CHECK(reads->is_under_way());
  on.all.fail(fails, error);
  CHECK(reads->error() == error);
}

TEST_CASE("a memory that is lost takes with it what it alone had, by name", "[flow]") {
  node on;
  on.tell(gpu, {{on.x, role::out}, {on.y, role::out}});
  on.tell(seat, {{on.y, role::in}});
  on.run_all();
  const work_ptr under_way = on.tell(beside, {{on.z, role::out}});
  on.begun();
  const std::exception_ptr error = an_error();
  CHECK(on.all.lose(space_id{1}, error) == std::vector{on.x, on.z});
  CHECK(under_way->error() == error);
  const work_ptr later = on.tell(gpu, {{on.x, role::out}});
  const work_ptr goes_on = on.tell(seat, {{on.y, role::in}});
  on.run_all();
  CHECK(later->error() == error);
  CHECK(goes_on->error() == nullptr);
}

TEST_CASE("all that is under way fails where a queue may run too early because another one is lost",
          "[flow]") {
  for (const bool is_behind : {false, true}) {
    node on;
    on.tell(gpu, {{on.x, role::out}});
    on.run_all();
    const work_ptr elsewhere = on.tell(foreign, {{on.z, role::out}});
    const work_ptr reads = on.tell(other_gpu, {{on.x, role::in}});  // behind a transfer on its own lane
    if (is_behind) on.tell(gpu, {{on.x, role::out}});               // behind that
    const work_ptr later = on.tell(seat, {{on.y, role::out}});
    on.begun();
    const std::exception_ptr error = an_error();
    on.all.lose(space_id{2}, error);
    for (const work_ptr& each : {elsewhere, later}) on.all.end(each);
    CHECK(reads->error() == error);
    CHECK((elsewhere->error() == error) == false);
    CHECK(later->error() == nullptr);
  }
}

TEST_CASE("nothing begins behind work of a lost queue that waits itself", "[flow]") {
  node on;
  const work_ptr writes = on.tell(gpu, {{on.x, role::out}});
  on.tell(other_gpu, {{on.x, role::in}});  // behind a transfer, and that behind the other one
  on.begun();
  on.all.lose(space_id{2}, an_error());
  const work_ptr overwrites = on.tell(beside, {{on.x, role::out}});
  CHECK(on.begun().empty());
  on.all.end(writes);
  CHECK(on.begun().size() == 1);
  CHECK(overwrites->has_begun());
}

TEST_CASE("a piece that is named twice is read once, and changed where one of them writes", "[flow]") {
  node on;
  on.tell(seat, {{on.x, role::out}, {on.x, role::out}});
  on.tell(gpu, {{on.x, role::in}, {on.x, role::out}});
  CHECK(on.all.n_waiting(gpu) == 2);  // it travels
  on.run_all();
  CHECK(on.table.home_of(on.x) == space_id{1});
}

TEST_CASE("what is over leaves nothing behind", "[flow]") {
  node on;
  const std::weak_ptr<const yoke::flow::work> first = on.tell(seat, {{on.x, role::out}});
  on.tell(gpu, {{on.x, role::inout}});
  on.run_all();
  on.tell(seat, {{on.x, role::inout}});
  on.run_all();
  on.tell(seat, {{on.x, role::out}});
  on.run_all();
  CHECK(first.expired());
}

TEST_CASE("a million pieces of work that nobody has begun end without one another", "[flow]") {
  node on;
  for (int i = 0; i < 1'000'000; ++i) on.tell(i % 2 == 0 ? gpu : beside, {{on.x, role::out}});
  CHECK(on.all.n_waiting(gpu) == 500'000);
}
