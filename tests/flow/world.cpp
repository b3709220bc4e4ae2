#include "world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

#include <yoke/error.hpp>

namespace flow_tests {

using yoke::space_id;
using yoke::flow::lane;
using yoke::flow::lane_id;
using yoke::flow::role;
using yoke::flow::work_ptr;
using yoke::versions::piece;
using yoke::versions::state;

namespace {

constexpr std::int64_t garbage = -1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Another number for other numbers, whatever their order.
std::int64_t mixed(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(a) * 6364136223846793005U +
                                    static_cast<std::uint64_t>(b) * 1442695040888963407U + 1) >>
                                   1);
}

}  // namespace

std::string text_of(const step& of) {
  std::string text = fmt::format("lane {}:", of.lane);
  for (const step::use& each : of.uses)
    text += fmt::format(" {} {}",
                        each.as == role::in    ? "in"
                        : each.as == role::out ? "out"
                                               : "inout",
                        each.piece);
  for (const int each : of.after) text += fmt::format(" after {}", each);
  return text + (of.fails ? ", fails" : "");
}

std::string text_of(const std::vector<step>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) text += fmt::format("{}: {}\n", i, text_of(all[i]));
  return text;
}

world::world(const machine& is, int n_pieces) : is_{is}, n_pieces_{n_pieces}, table_{is.n_memories} {
  std::vector<lane> lanes;
  for (int i = 0; i < is.n_lanes(); ++i)
    lanes.push_back({i < is.n_seats ? lane::kind::seat : lane::kind::queue, space_id{is.memory_of(i)}});
  // One for the transfers of each device.
  for (int m = 1; m < is.n_memories; ++m) lanes.push_back({lane::kind::queue, space_id{m}});
  all_ = std::make_unique<yoke::flow::dispatcher>(
      table_, lanes,
      [n = is.n_lanes()](space_id from, space_id to) { return lane_id{n - 1 + std::max<int>(from, to)}; });
  lanes_.resize(lanes.size());
  for (int p = 0; p < n_pieces; ++p) table_.add(fmt::format("piece {}", p));
  serial_.resize(at(n_pieces));
  cells_.assign(at(is.n_memories * n_pieces), garbage);
}

std::exception_ptr world::error(int number) {
  while (errors_.size() <= at(number))
    errors_.push_back(std::make_exception_ptr(std::runtime_error{fmt::format("error {}", errors_.size())}));
  return errors_[at(number)];
}

int world::number_of(const std::exception_ptr& error) const {
  const auto found = std::ranges::find(errors_, error);
  return found == errors_.end() ? -1 : static_cast<int>(found - errors_.begin());
}

bool world::allows(const step& next) const {
  return std::ranges::all_of(next.uses, [&](const step::use& each) {
    const value& of = serial_[at(each.piece)];
    return each.as == role::out || of.number != 0 || !of.errors.empty();
  });
}

void world::tell(const step& next) {
  const int number = static_cast<int>(told_.size()) + 1;
  told_step of{.is = next, .work = {}, .reads = {}, .errors = {}};
  std::int64_t result = number;
  for (const step::use& each : next.uses) {
    if (each.as == role::out) continue;
    const value& read = serial_[at(each.piece)];
    of.errors.insert(read.errors.begin(), read.errors.end());
    of.may_be_lost |= read.may_be_lost;
    of.reads.push_back(read.number);
    result = mixed(result, read.number);
  }
  for (const int each : next.after) {
    of.errors.insert(told_[at(each)].errors.begin(), told_[at(each)].errors.end());
    of.may_be_lost |= told_[at(each)].may_be_lost;
  }
  if (of.errors.empty() && next.fails) of.errors.insert(number);
  // A transfer of what it reads may be under way, and doomed.
  of.may_be_lost |= lost_.contains(is_.memory_of(next.lane)) || (!lost_.empty() && !of.reads.empty());
  of.writes = result;
  for (const step::use& each : next.uses)
    if (each.as != role::in) serial_[at(each.piece)] = {result, of.errors, of.may_be_lost};
  std::vector<yoke::flow::argument> arguments;
  for (const step::use& each : next.uses) arguments.push_back({piece{each.piece}, each.as});
  std::vector<work_ptr> after;
  for (const int each : next.after) after.push_back(told_[at(each)].work);
  of.work = all_->enqueue({.name = fmt::format("step {}", number - 1),
                           .on = lane_id{next.lane},
                           .arguments = arguments,
                           .after = after});
  told_.push_back(std::move(of));
  begin_all();
}

void world::begin_all() {
  while (auto next = all_->begin_next()) {
    const int on = next->what->lane();
    if (on < is_.n_seats) {
      if (!lanes_[at(on)].begun.empty()) complain(fmt::format("two pieces of work on the seat {}", on));
      if (next->behind.size() != 0) complain(fmt::format("{} waits on a seat", next->what->name()));
    }
    not_done_.insert(next->what.get());
    lanes_[at(on)].begun.push_back({next->what, std::move(next->behind)});
  }
}

bool world::can_go_on(const lane_state& of) const {
  return !of.begun.empty() && std::ranges::none_of(of.begun.front().behind, [&](const auto& each) {
    // A lane does its work in order: what has a larger number there is done later.
    return std::ranges::any_of(not_done_, [&](const yoke::flow::work* other) {
      return other->on() == each->on() && other->number() <= each->number();
    });
  });
}

std::vector<int> world::lanes_that_can_go_on() const {
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(lanes_.size()); ++i)
    if (can_go_on(lanes_[at(i)])) all.push_back(i);
  return all;
}

std::vector<int> world::lanes_with_news() const {
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(lanes_.size()); ++i)
    if (!lanes_[at(i)].done.empty()) all.push_back(i);
  return all;
}

void world::do_transfer(const yoke::flow::transfer& what) {
  for (const piece each : what.pieces) cell(what.to, each) = cell(what.from, each);
}

void world::do_step(told_step& of) {
  const int memory = is_.memory_of(of.is.lane);
  auto expected = of.reads.begin();
  for (const step::use& each : of.is.uses)
    if (each.as != role::out) of.has_read_wrong |= cell(memory, each.piece) != *expected++;
  for (const step::use& each : of.is.uses)
    if (each.as != role::in) cell(memory, each.piece) = of.is.fails ? garbage : of.writes;
}

void world::go_on(int on) {
  lane_state& of = lanes_[at(on)];
  const work_ptr what = of.begun.front().what;
  of.begun.erase(of.begun.begin());
  not_done_.erase(what.get());
  of.done.push_back(what);
  if (const yoke::flow::transfer* brings = what->brings(); brings != nullptr) {
    if (lost_.contains(brings->from)) from_lost_.push_back(what);
    return do_transfer(*brings);
  }
  for (told_step& each : told_)
    if (each.work == what) return do_step(each);
  // It has begun while it was told.
  complain(what->name() + " has begun before it was told");
}

int world::own_error(const yoke::flow::work& of) const {
  if (std::ranges::find(from_lost_, &of, &work_ptr::get) != from_lost_.end()) return 0;
  const auto which = std::ranges::find(told_, &of, [](const told_step& each) { return each.work.get(); });
  return which != told_.end() && which->is.fails ? static_cast<int>(which - told_.begin()) + 1 : -1;
}

void world::report(int on) {
  const std::vector<work_ptr> done = std::exchange(lanes_[at(on)].done, {});
  // Only of what fails, and of the last one before it: what ends says so for all that was before it.
  for (std::size_t i = 0; i < done.size(); ++i) {
    const int fails = own_error(*done[i]);
    const bool is_last = i + 1 == done.size() || own_error(*done[i + 1]) >= 0;
    if (fails >= 0) all_->fail(done[i], error(fails));
    if (fails < 0 && is_last) all_->end(done[i]);
  }
  begin_all();
}

void world::lose(int memory) {
  lost_.insert(memory);
  for (int p = 0; p < n_pieces_; ++p) {
    if (int{table_.home_of(piece{p})} == memory) serial_[at(p)].may_be_lost = true;
    cell(memory, p) = garbage;
  }
  for (told_step& each : told_) {
    each.may_be_lost |= each.work->is_under_way();
    if (!each.may_be_lost) continue;
    for (const step::use& use : each.is.uses)
      if (use.as != role::in && serial_[at(use.piece)].number == each.writes)
        serial_[at(use.piece)].may_be_lost = true;
  }
  const auto why = error(0);
  for (const piece each : all_->lose(space_id{memory}, why))
    if (!serial_[at(each)].may_be_lost) complain(fmt::format("piece {} is lost", int{each}));
  for (int i = 0; i < static_cast<int>(lanes_.size()); ++i) {
    const int of = i < is_.n_lanes() ? is_.memory_of(i) : 1 + i - is_.n_lanes();
    if (of != memory) continue;
    for (const doing& each : lanes_[at(i)].begun) not_done_.erase(each.what.get());
    lanes_[at(i)] = {};
  }
  begin_all();
}

void world::check_holds() {
  for (const told_step& each : told_) {
    const auto first = std::static_pointer_cast<yoke::flow::work>(all_->held_up_by(each.work));
    if ((first == nullptr) != !each.work->is_under_way()) complain(each.work->name() + ": what it waits for");
    if (first == nullptr) continue;
    const auto& on = lanes_[at(first->lane())];
    const bool is_begun = std::ranges::find(on.begun, first, &doing::what) != on.begun.end() ||
                          std::ranges::count(on.done, first) > 0;
    if (!is_begun) complain(each.work->name() + " waits for what has not begun");
  }
}

std::string world::check_step(std::size_t i) const {
  const told_step& of = told_[i];
  if (of.work->is_under_way()) return fmt::format("step {} is not over", i);
  const int error = of.work->error() == nullptr ? -2 : number_of(of.work->error());
  if (error == -2 && of.has_read_wrong) return fmt::format("step {} has read a wrong value", i);
  if (error == -2) return of.errors.empty() ? "" : fmt::format("step {} has not failed", i);
  if (of.errors.contains(error) || (error == 0 && of.may_be_lost)) return "";
  return fmt::format("step {} has failed with error {}", i, error);
}

std::string world::check_piece(int p) const {
  const value& of = serial_[at(p)];
  const state now = table_.state_of(piece{p});
  if (of.number == 0) return now == state::empty ? "" : fmt::format("piece {} is not empty", p);
  if (now != state::whole && now != state::broken) return fmt::format("piece {} is still being written", p);
  const bool is_broken = now == state::broken;
  if (is_broken != !of.errors.empty() && !of.may_be_lost) return fmt::format("whether piece {} is broken", p);
  if (is_broken) return "";
  for (int m = 0; m < is_.n_memories; ++m)
    if (table_.holds(piece{p}, space_id{m}) && cell(m, p) != of.number)
      return fmt::format("piece {} in memory {}", p, m);
  return "";
}

std::string world::check() const {
  if (!wrong_.empty()) return wrong_;
  if (!all_->is_idle()) return "something is left";
  for (std::size_t i = 0; i < told_.size(); ++i)
    if (std::string wrong = check_step(i); !wrong.empty()) return wrong;
  for (int p = 0; p < n_pieces_; ++p)
    if (std::string wrong = check_piece(p); !wrong.empty()) return wrong;
  return "";
}

}  // namespace flow_tests
