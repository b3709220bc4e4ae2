// What the table must have said.
#include "program.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace program {

namespace v = yoke::versions;
using v::usage;
using yoke::space_id;

bool world::conflict(const work& a, const work& b) {
  const auto meets = [](int written, const work& other) {
    return written >= 0 && (written == other.reads || written == other.writes);
  };
  return a.what.p == b.what.p && (meets(a.writes, b) || meets(b.writes, a));
}

void world::note_order(work& next) const {
  for (auto each = under_way_.rbegin(); each != under_way_.rend(); ++each) {
    const std::uint64_t number = each->mark->number();
    bool is_before =
        each->what.s == next.what.s || std::ranges::find(next.waits, each->mark) != next.waits.end();
    // What comes later and is before the next one may come after this.
    for (auto later = under_way_.rbegin(); later != each; ++later)
      is_before = is_before || (is_after(next, later->mark->number()) && is_after(*later, number));
    if (is_before) next.after.push_back(number);
  }
}

bool world::is_after(const work& of, std::uint64_t number) {
  return std::ranges::find(of.after, number) != of.after.end();
}

void world::check_order(const work& next) {
  for (const work& each : under_way_) {
    const bool is_before = is_after(next, each.mark->number());
    if (conflict(each, next) && !is_before)
      complain(fmt::format("'{}' does not wait for '{}'", text_of(next.what), text_of(each.what)));
    const bool is_named = std::ranges::find(next.waits, each.mark) != next.waits.end();
    if (!is_named) continue;
    if (each.what.s == next.what.s || !conflict(each, next))
      complain(fmt::format("'{}' need not wait for '{}'", text_of(next.what), text_of(each.what)));
    // Whoever reads what is written waits for that.
    for (const work& other : under_way_)
      if (next.what.what == step::write && std::ranges::find(next.waits, other.mark) != next.waits.end() &&
          other.reads == next.writes && each.writes == next.writes)
        complain(
            fmt::format("'{}' waits for '{}' and what it reads", text_of(next.what), text_of(other.what)));
  }
  for (const v::mark_ptr& a : next.waits) {
    if (!a->is_under_way()) complain("a mark that is over is waited for");
    for (const v::mark_ptr& b : next.waits)
      if (a != b && a->on() == b->on()) complain("two marks of a stream are waited for");
  }
}

std::string world::check_memory(int p, int m) const {
  const v::piece what = pieces_[at(p)];
  const space_id memory{m};
  const auto wrong = [&](const char* which) {
    return fmt::format("{} of piece {} in memory {}", which, p, m);
  };
  if (table_.holds(what, memory) != holds(p, m)) return wrong("holds");
  if (table_.is_idle(what, memory) != is_idle(p, m)) return wrong("is_idle");
  if (serial_[at(p)].error != 0) return {};
  const auto source = table_.source_for(what, memory);
  const bool travels = serial_[at(p)].number != 0 && !holds(p, m);
  if (source.has_value() != travels || (travels && !holds(p, *source))) return wrong("source_for");
  return {};
}

std::string world::check_piece(int p) const {
  const v::piece what = pieces_[at(p)];
  const value& model = serial_[at(p)];
  bool is_quiet = true;
  for (int m = 0; m < all_.memories; ++m) {
    is_quiet = is_quiet && is_idle(p, m);
    if (std::string wrong = check_memory(p, m); !wrong.empty()) return wrong;
  }
  const v::state state = model.number == 0       ? v::state::empty
                         : model.error != 0      ? v::state::broken
                         : count_holders(p) == 0 ? v::state::being_written
                                                 : v::state::whole;
  if (table_.state_of(what) != state) return fmt::format("state_of piece {}", p);
  if (table_.error_of(what) != (model.error == 0 ? nullptr : errors_[at(model.error - 1)]))
    return fmt::format("error_of piece {}", p);
  const space_id home = table_.home_of(what);
  if (model.error == 0 && (home == space_id{}) != (model.number == 0))
    return fmt::format("home_of piece {}", p);
  if (model.error == 0 && home != space_id{} && !holds(p, home)) return fmt::format("home_of piece {}", p);
  if (table_.is_quiet(what) != (is_quiet && count_holders(p) <= 1))
    return fmt::format("is_quiet of piece {}", p);
  return {};
}

std::string world::check() const {
  if (!wrong_.empty()) return wrong_;
  for (int p = 0; p < all_.pieces; ++p)
    if (std::string wrong = check_piece(p); !wrong.empty()) return wrong;
  return {};
}

namespace {

/// Numbers as they come: equal for lists that only differ in the names of their elements.
class renaming {
 public:
  char operator()(int number) {
    if (number == 0) return 0;
    const auto found = std::ranges::find(seen_, number);
    if (found != seen_.end()) return static_cast<char>(found - seen_.begin() + 1);
    seen_.push_back(number);
    return static_cast<char>(seen_.size());
  }

 private:
  std::vector<int> seen_;
};

}  // namespace

std::string world::key() const {
  std::string all;
  renaming values, errors;
  const auto add = [&](const value& each) { all += values(each.number), all += errors(each.error); };
  std::vector<const work*> order;  // of each stream
  for (int s = 0; s < all_.streams; ++s)
    for (const work& each : under_way_)
      if (each.what.s == s) order.push_back(&each);
  const auto add_marks = [&](const auto& is_in) {
    for (const work* each : order) all += is_in(*each) ? '+' : '-';
  };
  for (int p = 0; p < all_.pieces; ++p) {
    add(serial_[at(p)]);
    all += static_cast<char>(table_.home_of(pieces_[at(p)]) + 1);
    for (int m = 0; m < all_.memories; ++m) {
      add(now_[cell(p, m)]), add(when_over_[cell(p, m)]);
      for (const usage how : {usage::read, usage::write}) {
        v::marks before;
        table_.add_before({pieces_[at(p)], space_id{m}, how}, {}, before);
        add_marks([&](const work& each) { return std::ranges::find(before, each.mark) != before.end(); });
      }
    }
  }
  for (const work* each : order) {
    const step& of = each->what;
    for (const int part : {int{of.what}, int{of.p}, int{of.from}, int{of.to}, int{of.s}})
      all += static_cast<char>(part);
    all += values(each->number), all += errors(each->doom);
    for (const int memory : {each->reads, each->writes}) all += static_cast<char>(memory + 1);
    all += each->source != nullptr && each->source->error() != nullptr ? '!' : ' ';
    add_marks(
        [&](const work& other) { return std::ranges::find(each->waits, other.mark) != each->waits.end(); });
    add_marks([&](const work& other) { return is_after(*each, other.mark->number()); });
  }
  return all;
}

}  // namespace program
