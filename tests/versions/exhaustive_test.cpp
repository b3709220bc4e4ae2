// All programs of a few steps, in all orders, on three pieces in three memories.
#include "program.hpp"

#include <algorithm>
#include <iostream>
#include <support/catch.hpp>
#include <unordered_set>

namespace {

using program::sizes;
using program::step;
using program::world;

constexpr sizes all{.pieces = 3, .memories = 3, .streams = 3};

/// Of pieces, memories and streams that nothing has used the next one alone is tried: the others are the
/// same.
struct names_used {
  int pieces = 0, memories = 0, streams = 0;

  bool allow(const step& next) const {
    switch (next.what) {
      case step::write:
        return next.p <= pieces && next.to <= memories && next.s <= streams;
      case step::read:
        return next.s <= streams;
      case step::copy:
        return next.to <= memories && next.s <= streams;
      default:
        return next.to < std::max(memories, 1);
    }
  }
  void add(const step& next) {
    const bool is_work = next.what == step::write || next.what == step::read || next.what == step::copy;
    if (!is_work) return;
    pieces = std::max(pieces, next.p + 1);
    memories = std::max({memories, next.to + 1, next.what == step::copy ? next.from + 1 : 0});
    streams = std::max(streams, next.s + 1);
  }
};

using steps = std::vector<step>;

/// Worlds that only differ in how they came about are one state, by the shortest way to it.
class states {
 public:
  std::vector<steps> last{{}};  ///< those that are new with the last step
  std::size_t n = 1, n_programs = 0;
  std::string wrong{};

  /// With `keeps` the states behind that are the last ones, otherwise they are checked alone.
  void add_step(bool keeps) {
    std::unordered_set<std::string> seen;
    std::vector<steps> found;
    for (const steps& before : last)
      for (const step& next : next_of(before)) {
        steps now = before;
        now.push_back(next);
        std::string key = check(now, keeps);
        if (keeps && seen.insert(std::move(key)).second) found.push_back(std::move(now));
      }
    last = std::move(found);
    n += last.size();
  }

 private:
  std::vector<step> next_of(const steps& before) const {
    world here{all};
    names_used names;
    for (const step& each : before) here.run(each), names.add(each);
    std::vector<step> allowed;
    std::ranges::copy_if(possible_, std::back_inserter(allowed),
                         [&](const step& each) { return names.allow(each) && here.allows(each); });
    return allowed;
  }
  std::string check(const steps& program, bool keeps) {
    world there{all};
    for (const step& each : program) there.run(each);
    ++n_programs;
    if (const std::string found = there.check(); !found.empty() && wrong.empty())
      wrong = found + " after " + program::text_of(program);
    return keeps ? there.key() : std::string{};
  }

  const steps possible_ = program::steps_of(all);
};

}  // namespace

TEST_CASE("every program of up to six steps finds what a serial one would, whatever ends when",
          "[versions]") {
#ifdef YOKE_SANITIZED
  constexpr int most = 5;  // six take minutes
#else
  constexpr int most = 6;
#endif
  states reached;
  for (int length = 1; length <= most && reached.wrong.empty(); ++length) reached.add_step(length < most);
  std::cout << "versions: " << reached.n << " states of up to " << most - 1 << " steps, "
            << reached.n_programs << " programs of up to " << most << " checked\n";
  CHECK(reached.wrong == "");
}
