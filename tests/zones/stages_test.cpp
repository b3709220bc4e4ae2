// Where halos are filled and faces sent, in a pure state machine.
#include "step_stages.hpp"

#include <support/catch.hpp>
#include <vector>

namespace {

using yoke::detail::halo_need;
using yoke::detail::stage_operation;
using yoke::detail::step_stages;
using steps = std::vector<std::vector<stage_operation>>;

}  // namespace

TEST_CASE("a halo is filled where it is read and a neighbour has changed", "[zones]") {
  // Two fields that change places: u to v, then v to u.
  const steps swapped{{{0, {{0, true, false}, {1, false, true}}}},
                      {{0, {{1, true, false}, {0, false, true}}}}};
  const step_stages cut{swapped};
  REQUIRE(cut.period() == 2);
  REQUIRE(cut.of_step(0).size() == 1);
  CHECK(cut.of_step(0)[0].exchanged == std::vector{0});
  CHECK(cut.of_step(0)[0].sent == std::vector{1});
  CHECK(cut.of_step(1)[0].exchanged == std::vector{1});
  CHECK(cut.of_step(1)[0].sent == std::vector{0});
  CHECK(cut.need_of(0, 0) == halo_need::faces);
  CHECK(cut.need_of(1, 0) == halo_need::none);
}

TEST_CASE("what is only read needs its halo once", "[zones]") {
  const steps one{{{0, {{0, true, true}, {1, true, false}}}}};
  const step_stages cut{one};
  CHECK(cut.of_step(0)[0].exchanged == std::vector{0});
  CHECK(cut.need_of(1, 0) == halo_need::refresh);
}

TEST_CASE("operations between which nothing has to come are one stage", "[zones]") {
  const steps one{{{0, {{0, true, false}, {1, false, true}}},
                   {1, {{0, true, false}, {2, false, true}}},
                   {2, {{1, true, false}, {2, false, true}}}}};
  const step_stages cut{one};
  REQUIRE(cut.of_step(0).size() == 2);
  CHECK(cut.of_step(0)[0].operations.size() == 2);
  CHECK(cut.of_step(0)[0].sent == std::vector{1});
  CHECK(cut.of_step(0)[1].exchanged == std::vector{1});
  CHECK(cut.need_of(0, 0) == halo_need::refresh);
  CHECK(cut.need_of(1, 0) == halo_need::none);
}

TEST_CASE("what a call sends itself is left out where its neighbours read it", "[zones]") {
  const steps sent{{{0, {{0, true, true, true}}}}};
  const step_stages cut{sent};
  CHECK(cut.of_step(0)[0].exchanged == std::vector{0});
  CHECK(cut.of_step(0)[0].handed == std::vector{0});
  CHECK(cut.of_step(0)[0].sent == std::vector{0});
  CHECK(cut.is_handed_after(0, 0));
  // Another operation writes it last.
  const steps changed{{{0, {{0, true, true, true}}}, {1, {{0, false, true}}}}};
  CHECK(step_stages{changed}.of_step(0)[0].handed.empty());
  CHECK(!step_stages{changed}.is_handed_after(0, 0));
}
