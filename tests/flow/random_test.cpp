// Long programs in random orders, with failures and lost memories.
#include "world.hpp"

#include <random>
#include <support/catch.hpp>

namespace {

using flow_tests::machine;
using flow_tests::step;
using flow_tests::world;
using yoke::flow::role;

class random_program {
 public:
  explicit random_program(std::uint64_t seed) : random_{seed} {}

  std::string run() {
    const machine is{.n_memories = 1 + below(4),
                     .n_seats = 1 + below(3),
                     .n_queues_each = 1 + below(3),
                     .has_peers = below(2) == 0};
    const int n_pieces = 1 + below(8);
    const bool loses = is.n_memories > 1 && below(4) == 0;
    const int fails_of_100 = below(3) == 0 ? 5 : 0;
    world all{is, n_pieces};
    for (int left = 20 + below(200); left > 0;) {
      const int what = below(3);
      if (what == 0) {
        const step next = any_step(is, n_pieces, fails_of_100);
        if (all.allows(next)) {
          program_.push_back(next);
          all.tell(next);
          --left;
        } else {
          left -= below(20) == 0 ? 1 : 0;
        }
      } else {
        go_on(all, what == 1);
      }
      if (loses && below(200) == 0) all.lose(1 + below(is.n_memories - 1));
      if (below(20) == 0) all.check_holds();
      if (!all.wrong().empty()) return all.wrong();
    }
    while (!all.lanes_that_can_go_on().empty() || !all.lanes_with_news().empty()) go_on(all, below(2) == 0);
    return all.check();
  }
  const std::vector<step>& program() const { return program_; }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  step any_step(const machine& is, int n_pieces, int fails_of_100) {
    step next{.lane = below(is.n_lanes()), .fails = below(100) < fails_of_100};
    for (int n = below(4); n >= 0; --n) next.uses.push_back({below(n_pieces), static_cast<role>(below(3))});
    const int n_told = static_cast<int>(program_.size());
    if (n_told > 0 && below(4) == 0) next.after.push_back(below(n_told));
    return next;
  }

  void go_on(world& all, bool reports) {
    const std::vector<int> lanes = reports ? all.lanes_with_news() : all.lanes_that_can_go_on();
    if (lanes.empty()) return;
    const int lane = lanes[static_cast<std::size_t>(below(static_cast<int>(lanes.size())))];
    reports ? all.report(lane) : all.go_on(lane);
  }

  std::mt19937_64 random_;
  std::vector<step> program_;
};

void try_many(int count) {
  const std::uint64_t seed = Catch::rngSeed();
  for (int i = 0; i < count; ++i) {
    random_program next{seed * 1000003 + static_cast<std::uint64_t>(i)};
    const std::string wrong = next.run();
    if (wrong.empty()) continue;
    INFO("--rng-seed " << seed << ", program " << i << "\n" << flow_tests::text_of(next.program()));
    FAIL(wrong);
  }
}

}  // namespace

TEST_CASE("random programs are right in random orders", "[random]") { try_many(1000); }
TEST_CASE("many random programs are right in random orders", "[.][many-programs]") { try_many(100000); }
