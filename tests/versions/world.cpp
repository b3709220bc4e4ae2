// How a program runs.
#include "program.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace program {

namespace v = yoke::versions;
using v::usage;
using yoke::space_id;

namespace {

/// Memories that the work reads and writes; -1: none.
int read_in(const step& of) { return of.what == step::copy ? of.from : of.what == step::read ? of.to : -1; }
int written_in(const step& of) { return of.what == step::read ? -1 : of.to; }

}  // namespace

world::world(const sizes& all)
    : all_{all},
      table_{all.memories},
      now_(at(all.pieces * all.memories)),
      when_over_(now_.size()),
      serial_(at(all.pieces)) {
  for (int p = 0; p < all.pieces; ++p) pieces_.push_back(table_.add({}));
}

bool world::holds(int p, int m) const {
  const value& wanted = serial_[at(p)];
  return wanted.number != 0 && wanted.error == 0 && when_over_[cell(p, m)] == wanted;
}

bool world::is_idle(int p, int m) const {
  return std::ranges::none_of(under_way_, [&](const work& each) {
    return each.what.p == p && (each.reads == m || each.writes == m);
  });
}

bool world::is_being_filled(int p, int m) const {
  return std::ranges::any_of(under_way_,
                             [&](const work& each) { return each.what.p == p && each.writes == m; });
}

int world::count_holders(int p, int other_than) const {
  int n = 0;
  for (int m = 0; m < all_.memories; ++m)
    n += m != other_than && holds(p, m) && !is_being_filled(p, m) ? 1 : 0;
  return n;
}

const world::work* world::next_in(int s) const {
  const auto found = std::ranges::find_if(under_way_, [&](const work& each) { return each.what.s == s; });
  return found == under_way_.end() ? nullptr : &*found;
}

bool world::allows(const step& next) const {
  const auto is_there = [&](int m) {
    return now_[cell(next.p, m)].number != 0 || when_over_[cell(next.p, m)].number != 0;
  };
  switch (next.what) {
    case step::write:
    case step::lose:
      return true;
    case step::read:
      return holds(next.p, next.to);
    case step::copy:
      return holds(next.p, next.from) && !holds(next.p, next.to);
    case step::drop:
      return is_there(next.to) && is_idle(next.p, next.to);
    case step::evict:
      return is_there(next.to);
    default:
      break;
  }
  const work* const first = next_in(next.s);
  if (first == nullptr) return false;
  if (std::ranges::any_of(first->waits, [](const v::mark_ptr& each) { return each->is_under_way(); }))
    return false;
  // What reads bytes that are broken cannot end well.
  const bool is_broken = first->source != nullptr && first->source->error() != nullptr;
  return next.what == step::fail || (first->doom == 0 && !is_broken);
}

void world::run(const step& next) {
  switch (next.what) {
    case step::write:
    case step::read:
    case step::copy:
      return begin(next);
    case step::end:
    case step::fail:
      return finish(next);
    case step::lose:
      return lose(next);
    case step::evict:
      return evict(next);
    default:
      table_.drop(pieces_[next.p], space_id{next.to});
      forget(next.p, next.to);
  }
}

void world::begin(const step& next) {
  const v::piece what = pieces_[next.p];
  const int reads = read_in(next), writes = written_in(next);
  work made{.what = next,
            .reads = reads,
            .writes = writes,
            .number = next.what == step::write ? ++n_values_ : serial_[next.p].number,
            .doom = 0,
            .mark = std::make_shared<v::mark>(v::stream{&streams_[next.s]}, ++n_marks_),
            .source = {},
            .waits = {},
            .after = {}};
  if (reads >= 0) table_.add_before({what, space_id{reads}, usage::read}, made.mark->on(), made.waits);
  if (writes >= 0) table_.add_before({what, space_id{writes}, usage::write}, made.mark->on(), made.waits);
  if (reads >= 0) made.source = table_.writer_of(what, space_id{reads});
  note_order(made);
  check_order(made);
  if (next.what == step::copy) {
    table_.copy(what, space_id{reads}, space_id{writes}, made.mark);
    when_over_[cell(next.p, writes)] = when_over_[cell(next.p, reads)];
  } else if (reads >= 0) {
    table_.begin({what, space_id{reads}, usage::read}, made.mark);
  } else {
    table_.begin({what, space_id{writes}, usage::write}, made.mark);
    when_over_[cell(next.p, writes)] = serial_[next.p] = {.number = made.number};
  }
  under_way_.push_back(std::move(made));
}

int world::new_error() {
  errors_.push_back(std::make_exception_ptr(static_cast<int>(errors_.size())));
  return static_cast<int>(errors_.size());
}

void world::run_to_end(const work& which) {
  const step& of = which.what;
  if (const int m = which.reads; m >= 0 && now_[cell(of.p, m)] != value{.number = which.number})
    complain(fmt::format("'{}' finds another value", text_of(of)));
  if (const int m = which.writes; m >= 0) now_[cell(of.p, m)] = {.number = which.number};
  which.mark->end();
}

void world::fail(const work& which, int error) {
  which.mark->fail(errors_[at(error - 1)]);
  const step& of = which.what;
  const int m = which.writes;
  if (m < 0) return;
  const value good{.number = which.number}, bad{.number = which.number, .error = error};
  now_[cell(of.p, m)] = bad;
  if (when_over_[cell(of.p, m)] == good) when_over_[cell(of.p, m)] = bad;
  if (of.what == step::write && serial_[of.p] == good) serial_[of.p] = bad;
}

void world::finish(const step& next) {
  const work first = *next_in(next.s);
  std::erase_if(under_way_, [&](const work& each) { return each.mark == first.mark; });
  if (first.doom != 0) return fail(first, first.doom);
  const int broken = first.reads < 0 ? 0 : now_[cell(first.what.p, first.reads)].error;
  const auto told = first.source == nullptr ? nullptr : first.source->error();
  if (told != (broken == 0 ? nullptr : errors_[at(broken - 1)]))
    complain(fmt::format("'{}' is told another error of what it reads", text_of(first.what)));
  if (next.what == step::end) return run_to_end(first);
  fail(first, broken != 0 ? broken : new_error());
}

void world::forget(int p, int m) {
  now_[cell(p, m)] = when_over_[cell(p, m)] = {};
  // What a copy is to bring might not come.
  const bool is_coming = std::ranges::any_of(under_way_, [&](const work& each) {
    return each.what.what == step::write && each.writes >= 0 && each.number == serial_[at(p)].number;
  });
  if (count_holders(p) == 0 && !is_coming && serial_[at(p)].error == 0) serial_[at(p)] = {};
}

/// What uses the memory fails when its turn comes, and so does what reads that.
void world::doom(int m, int error) {
  for (work& each : under_way_) {
    bool is_doomed = each.reads == m || each.writes == m;
    for (const work& other : under_way_)
      is_doomed = is_doomed || (other.doom != 0 && other.mark == each.source);
    if (each.reads == m) each.reads = -1;
    if (each.writes == m) each.writes = -1;
    if (is_doomed && each.doom == 0) each.doom = error;
  }
}

void world::lose(const step& next) {
  const int m = next.to, error = new_error();
  doom(m, error);
  const std::vector<v::piece> lost = table_.lose(space_id{m}, errors_.back());
  std::vector<v::piece> wanted;
  for (int p = 0; p < all_.pieces; ++p) {
    const value was = serial_[at(p)];
    forget(p, m);
    if (was.number != 0 && serial_[at(p)].number == 0)
      serial_[at(p)] = {.number = was.number, .error = error};
    if (serial_[at(p)].error == error) wanted.push_back(pieces_[at(p)]);
  }
  if (lost != wanted) complain(fmt::format("'{}' names other pieces", text_of(next)));
}

void world::evict(const step& next) {
  const bool may =
      is_idle(next.p, next.to) && (!holds(next.p, next.to) || count_holders(next.p, next.to) > 0);
  if (table_.evict(pieces_[next.p], space_id{next.to}) != may)
    complain(fmt::format("'{}' {}", text_of(next), may ? "is refused" : "is done"));
  if (may) forget(next.p, next.to);
}

}  // namespace program
