#include <numeric>
#include <support/catch.hpp>
#include <vector>

#include <yoke/learner.hpp>
#include <yoke/schedule.hpp>
#include <yoke/warm_up.hpp>

namespace {

using yoke::pass_id;

/// Says what it is told to say, and runs nothing.
class scripted_learner final : public yoke::schedule, private yoke::learner {
 public:
  std::span<const yoke::task_id> next(yoke::unit_id, pass_id) override { return {}; }
  yoke::pass_plan plan_of(pass_id) const override { return plan; }
  std::string describe() const override { return "scripted"; }
  yoke::learner* learning() override { return learns ? this : nullptr; }

  yoke::pass_plan plan{.map = {yoke::unit_id{0}}, .until = yoke::pass_plan::for_good};
  bool learns = true, wants = false;

 private:
  bool wants_warm_up() const override { return wants; }
};

/// What is asked for until it is enough, where each time but the first shows `each`.
std::vector<pass_id> asked(scripted_learner& of, pass_id passes, yoke::warm_up_outcome each) {
  yoke::warm_up rule{of, passes};
  std::vector<pass_id> all{rule.next(0)};
  pass_id pass = all.front();
  for (pass_id n = rule.next(pass, each); n > 0; n = rule.next(pass, each)) {
    all.push_back(n);
    pass += n;
  }
  return all;
}

std::vector<pass_id> one_and(int times, pass_id of) {
  std::vector<pass_id> all(static_cast<std::size_t>(times) + 1, of);
  all.front() = 1;
  return all;
}

constexpr yoke::warm_up_outcome nothing{}, moved{.map_is_new = true},
    moved_and_spent{.map_is_new = true, .allowance_is_spent = true}, spent{.allowance_is_spent = true};

}  // namespace

TEST_CASE("one pass warms up where nothing moves and nobody learns", "[scheduling]") {
  scripted_learner of;
  CHECK(asked(of, 100, nothing) == one_and(0, 4));
  of.wants = true;
  CHECK(asked(of, 39, nothing) == one_and(0, 4));  // too few to learn before
  of.learns = false;
  CHECK(asked(of, 100, nothing) == one_and(0, 4));
  of.plan = {};  // an open pass
  CHECK(asked(of, 100, nothing) == one_and(0, 4));
}

TEST_CASE("each map that is new gets four passes, and more of them in runs that learn", "[scheduling]") {
  scripted_learner of;
  CHECK(asked(of, 10, moved) == one_and(2, 4));
  CHECK(asked(of, 100, moved_and_spent) == one_and(8, 4));
  CHECK(asked(of, 100, moved) == one_and(16, 4));
}

TEST_CASE("a schedule that learns gets passes until it has enough or they take too much", "[scheduling]") {
  scripted_learner of;
  of.wants = true;
  CHECK(asked(of, 100, nothing) == one_and(16, 4));
  CHECK(asked(of, 100, spent) == one_and(1, 4));
  yoke::warm_up rule{of, 100};
  CHECK(rule.next(0) == 1);
  CHECK(rule.next(1) == 4);
  of.wants = false;
  CHECK(rule.next(5) == 0);
}

TEST_CASE("passes that warm up end where the schedule looks, four to sixteen at once", "[scheduling]") {
  scripted_learner of;
  of.wants = true;
  const auto second = [&](pass_id until) {
    of.plan.until = until;
    yoke::warm_up rule{of, 100};
    rule.next(0);
    return rule.next(1);
  };
  CHECK(second(2) == 4);
  CHECK(second(10) == 9);
  CHECK(second(1000) == 16);
  of.wants = false;
  CHECK(second(5) == 4);  // it looks soon
  CHECK(second(6) == 0);
  of.wants = true;
  of.plan.until = 1'000'000;
  const std::vector<pass_id> all = asked(of, 100, moved);
  CHECK(std::accumulate(all.begin(), all.end(), pass_id{0}) == 1 + yoke::warm_up::most);
}
