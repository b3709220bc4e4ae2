// [(attributes)] level … with level: [type:]count[(attributes)] or "[" type[(attributes)] "]"
#include "synthetic_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/parse.hpp>

namespace yoke::detail {

namespace {

constexpr int most_number = 65535;
constexpr std::size_t most_levels = 32;
constexpr std::string_view accepted =
    "levels of one machine, as \"numa:2 core:4 pu:2\" or \"core:4 pu:2(indexes=0,2,4,6,1,3,5,7)\"";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class checker {
 public:
  checker(const sourced& text, int most) : in_{text, accepted}, most_{most} {}

  void check() {
    if (in_.peek() == '(') attributes(1, true);
    skip_spaces();
    do {
      if (in_.peek() == '[')
        nodes_beside();
      else
        level();
    } while (another());
    in_.expect_end();
  }

 private:
  bool skip_spaces() {
    const std::size_t before = in_.position();
    while (in_.accept(' ')) continue;
    return in_.position() > before;
  }

  bool another() { return (in_.peek() == '[' || skip_spaces()) && !in_.at_end(); }

  /// Letters and digits, a letter first; may be empty.
  std::string name() {
    std::string read;
    while (is_letter(in_.peek()) || (!read.empty() && is_digit(in_.peek()))) {
      read += in_.peek();
      in_.accept(in_.peek());
    }
    return read;
  }

  void level() {
    if (levels_.size() == most_levels) in_.fail(fmt::format("at most {} levels", most_levels));
    levels_.push_back(name());
    if (!levels_.back().empty()) in_.expect(':', "':' and how many");
    width_ *= in_.number("how many in each, with all levels together", 1, most_ / width_);
    if (in_.peek() == '(') attributes(width_, true);
  }

  void nodes_beside() {
    in_.expect('[', "'['");
    if (name().empty()) in_.fail(fmt::format("expected NUMANode, found {}", in_.found()));
    nodes_ += width_;
    if (nodes_ > most_) in_.fail(fmt::format("at most {} NUMA nodes", most_));
    if (in_.peek() == '(') attributes(nodes_, false);
    in_.expect(']', "']'");
  }

  /// `count`: of the objects that it is about; `of_level`: they are a level, not nodes beside several ones.
  void attributes(int count, bool of_level) {
    in_.expect('(', "'('");
    do {
      const std::string what = name();
      in_.expect('=', "an attribute and '='");
      if (what == "indexes")
        indexes(count, of_level);
      else if (constexpr std::array sizes{"memory", "size", "memorysidecachesize"};
               std::ranges::find(sizes, what) != sizes.end())
        bytes();
      else
        in_.fail("expected memory, size, memorysidecachesize or indexes before '='");
    } while (in_.accept(' '));
    in_.expect(')', "' ' or ')'");
  }

  void bytes() {
    std::string digits;
    for (; is_digit(in_.peek()); in_.accept(in_.peek())) digits += in_.peek();
    const std::string unit = name();
    const std::size_t most = unit.empty() ? 15 : 6;
    if (digits.empty() || digits.size() > most)
      in_.fail("expected a size of at most 15 digits, or of 6 and a unit");
  }

  void indexes(int count, bool of_level) {
    if (is_letter(in_.peek())) return by_types(of_level);
    const int first = in_.number("a number", 0, most_number);
    if (in_.accept('*'))
      by_loops(first, count);
    else
      one_by_one(first, count);
  }

  /// "0,2,1,3"
  void one_by_one(int first, int count) {
    std::set seen{first};
    while (in_.accept(','))
      if (!seen.insert(in_.number("a number", 0, most_number)).second)
        in_.fail("a number that was there before");
    if (static_cast<int>(seen.size()) != count)
      in_.fail(fmt::format("{} numbers for {} objects", seen.size(), count));
  }

  /// "2*2:1*2": steps and how many of each; together no more than there are objects.
  void by_loops(int step, int count) {
    if (step == 0) in_.fail("a step of 0");
    int left = count / in_.number("how many steps", 1, count);
    while (in_.accept(':')) {
      in_.number("a step", 1, most_number);
      in_.expect('*', "'*'");
      left /= in_.number("how many steps", 1, std::max(1, left));
    }
  }

  /// "core:numa": levels above this one.
  void by_types(bool of_level) {
    if (!of_level) in_.fail("NUMA nodes beside levels are numbered one by one");
    const auto above = std::span{levels_}.first(levels_.empty() ? 0 : levels_.size() - 1);
    std::vector<std::string> seen;
    do {
      seen.push_back(name());
      if (seen.back().empty() || std::ranges::find(above, seen.back()) == above.end())
        in_.fail(fmt::format("no level \"{}\" before this one", seen.back()));
      if (std::ranges::count(seen, seen.back()) > 1) in_.fail("a level that was there before");
    } while (in_.accept(':'));
  }

  text_parser in_;
  int most_;
  std::vector<std::string> levels_;
  int width_ = 1;  ///< objects of the last level
  int nodes_ = 0;  ///< NUMA nodes that are beside levels
};

}  // namespace

void check_synthetic(const sourced& description, int most) { checker{description, most}.check(); }

}  // namespace yoke::detail
