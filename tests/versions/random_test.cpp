// Long programs, more pieces, memories and streams than all orders of could be tried.
#include "program.hpp"

#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <support/catch.hpp>

namespace {

using program::step;
using program::world;

/// What is wrong after how many of `n` steps; empty where nothing is.
std::string wrong_in_program(std::uint32_t seed, int n) {
  std::mt19937 random{seed};
  const program::sizes all{.pieces = 1 + static_cast<int>(random() % 6),
                           .memories = 2 + static_cast<int>(random() % 4),
                           .streams = 1 + static_cast<int>(random() % 6)};
  const std::vector<step> possible = program::steps_of(all);
  // Nearly everything that is tried ends well, or there would be nothing to read.
  const auto is_tried = [&](const step& next) {
    if (next.what == step::fail || next.what == step::drop) return random() % 8 == 0;
    return next.what != step::lose || random() % 64 == 0;
  };
  world here{all};
  for (int done = 0; done < n;) {
    const step& next = possible[random() % possible.size()];
    const bool ends = next.what == step::end || next.what == step::fail;
    if ((here.n_under_way() > 12 && !ends) || !is_tried(next) || !here.allows(next)) continue;
    here.run(next);
    ++done;
    if (const std::string wrong = here.check(); !wrong.empty())
      return wrong + " after " + std::to_string(done) + " steps, the last: " + program::text_of(next);
  }
  return {};
}

void check_programs(int n_programs) {
  const std::uint32_t first = support::seed();
  std::cout << "versions: random programs of 1000 steps from seed " << first << "\n";
  for (std::uint32_t each = first; each < first + static_cast<std::uint32_t>(n_programs); ++each) {
    CAPTURE(each);
    REQUIRE(wrong_in_program(each, 1000) == "");
  }
}

}  // namespace

TEST_CASE("random programs find what serial ones would", "[versions]") { check_programs(100); }

TEST_CASE("very many random programs find what serial ones would", "[.][many-programs]") {
  check_programs(20'000);
}
