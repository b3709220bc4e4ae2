// All programs of a few steps, in all orders in which they can be told and done.
#include "world.hpp"

#include <algorithm>
#include <iostream>
#include <support/catch.hpp>

namespace {

using flow_tests::machine;
using flow_tests::step;
using flow_tests::world;
using yoke::flow::role;

constexpr machine small{.n_memories = 3, .n_seats = 1, .n_queues_each = 1};
constexpr int n_pieces = 3;

/// Uses one piece, or reads one and writes another.
std::vector<step> steps_of() {
  std::vector<step> all;
  for (int lane = 0; lane < small.n_lanes(); ++lane) {
    for (int p = 0; p < n_pieces; ++p) {
      for (const role as : {role::in, role::out, role::inout})
        all.push_back({.lane = lane, .uses = {{p, as}}});
      for (int q = 0; q < n_pieces; ++q)
        if (q != p) all.push_back({.lane = lane, .uses = {{p, role::in}, {q, role::out}}});
    }
  }
  return all;
}

/// Of pieces and of queues that nothing has used the next one alone is tried: the others are the same.
bool uses_next(const std::vector<step>& program) {
  int pieces = 0, queues = small.n_seats;
  for (const step& each : program) {
    if (each.lane > queues) return false;
    queues = std::max(queues, each.lane + 1);
    for (const step::use& use : each.uses) {
      if (use.piece > pieces) return false;
      pieces = std::max(pieces, use.piece + 1);
    }
  }
  return true;
}

bool can_be(const std::vector<step>& program) {
  bool written[n_pieces] = {};
  for (const step& each : program)
    for (const step::use& use : each.uses) {
      if (use.as != role::out && !written[use.piece]) return false;
      if (use.as != role::in) written[use.piece] = true;
    }
  return true;
}

/// One order after the other: at each point what is chosen, of how many.
class choices {
 public:
  int take(int of) {
    if (at_ == taken_.size()) taken_.push_back({0, of});
    return taken_[at_++].first;
  }
  /// To the next order; false behind the last.
  bool advance() {
    while (!taken_.empty() && taken_.back().first + 1 == taken_.back().second) taken_.pop_back();
    at_ = 0;
    if (taken_.empty()) return false;
    ++taken_.back().first;
    return true;
  }

 private:
  std::vector<std::pair<int, int>> taken_;
  std::size_t at_ = 0;
};

std::string run(const std::vector<step>& program, choices& order) {
  world all{small, n_pieces};
  std::size_t told = 0;
  while (true) {
    const std::vector<int> lanes = all.lanes_that_can_go_on();
    const int n = static_cast<int>(lanes.size()) + (told < program.size() ? 1 : 0);
    all.check_holds();
    if (n == 0) return all.check();
    const int chosen = order.take(n);
    if (chosen == static_cast<int>(lanes.size())) {
      all.tell(program[told++]);
    } else {
      all.go_on(lanes[static_cast<std::size_t>(chosen)]);
      all.report(lanes[static_cast<std::size_t>(chosen)]);
    }
    if (!all.wrong().empty()) return all.wrong();
  }
}

struct counts {
  long programs = 0, orders = 0;
};

void try_orders(const std::vector<step>& program, counts& count) {
  ++count.programs;
  choices order;
  do {
    ++count.orders;
    const std::string wrong = run(program, order);
    if (!wrong.empty()) {
      INFO(flow_tests::text_of(program));
      FAIL(wrong);
    }
  } while (order.advance());
}

/// With one step that fails, or none.
void try_programs(std::vector<step>& program, std::size_t length, counts& count) {
  static const std::vector<step> steps = steps_of();
  const bool has_failed = std::ranges::any_of(program, &step::fails);
  for (const step& each : steps) {
    program.push_back(each);
    if (uses_next(program) && can_be(program)) {
      for (const bool fails : {false, true}) {
        if (fails && has_failed) continue;
        program.back().fails = fails;
        try_orders(program, count);
        if (program.size() < length) try_programs(program, length, count);
      }
    }
    program.pop_back();
  }
}

}  // namespace

TEST_CASE("all programs of a few steps are right in all orders", "[exhaustive]") {
#ifdef YOKE_SANITIZED
  constexpr std::size_t length = 3;
#else
  constexpr std::size_t length = 4;
#endif
  counts count;
  std::vector<step> program;
  try_programs(program, length, count);
  std::cout << count.programs << " programs in " << count.orders << " orders\n";
  CHECK(count.programs > 1000);
}
