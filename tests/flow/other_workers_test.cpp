#include "asked.hpp"

#include <support/catch.hpp>

namespace {

using namespace flow_tests;  // NOLINT(google-build-using-namespace)

}  // namespace

TEST_CASE("what another worker does is waited for by the host, whatever lane comes after it", "[flow]") {
  node on;
  someone_else other;
  const auto writes = other.work();
  on.table.begin({on.x, space_id{1}, yoke::versions::usage::write}, writes);
  const work_ptr reader = on.tell(gpu, {{on.x, role::in}});
  CHECK(on.begun().empty());
  CHECK(on.all.held_up_by(reader) == writes);
  writes->end();
  CHECK(on.begun().size() == 1);
  const auto reads = other.work();
  on.all.end(reader);
  on.table.begin({on.x, space_id{1}, yoke::versions::usage::read}, reads);
  const work_ptr writer = on.tell(beside, {{on.x, role::out}}),
                 elsewhere = on.tell(seat, {{on.y, role::out}});
  CHECK(on.begun().size() == 1);
  CHECK(elsewhere->has_begun());
  CHECK(on.all.held_up_by(writer) == reads);
}

TEST_CASE("what another worker fails to write fails its readers before they begin", "[flow]") {
  node on;
  someone_else other;
  const auto writes = other.work();
  on.table.begin({on.x, space_id{0}, yoke::versions::usage::write}, writes);
  const work_ptr reader = on.tell(gpu, {{on.x, role::in}}), after = on.tell(seat, {}, {reader}),
                 next = on.tell(seat, {{on.x, role::out}});
  writes->fail(an_error());
  on.run_all();
  CHECK(reader->error() == writes->error());
  CHECK(after->error() == writes->error());
  CHECK_FALSE(reader->is_under_way());
  CHECK(next->error() == nullptr);
  CHECK(on.table.state_of(on.x) == state::whole);
}

TEST_CASE("work that is to say its end says it once, whether it has run or not", "[flow]") {
  node on;
  const argument x[] = {{on.x, role::out}};
  const work_ptr bad = on.all.enqueue({.name = "bad", .on = seat, .arguments = x, .says_end = true});
  on.tell(seat, {{on.x, role::in}});
  const work_ptr never = on.all.enqueue({.name = "never", .on = seat, .after = {&bad, 1}, .says_end = true});
  on.begun();
  CHECK(on.all.take_ended().empty());
  on.all.fail(bad, an_error());
  on.begun();
  CHECK(on.all.take_ended() == std::vector{bad, never});
  CHECK(on.all.take_ended().empty());
}
