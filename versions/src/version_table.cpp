#include <algorithm>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/version_table.hpp>

namespace yoke::versions {

namespace {

bool has_failed(const mark_ptr& work) { return work != nullptr && work->error() != nullptr; }

}  // namespace

piece table::add(std::string name) {
  if (free_.empty()) {
    bytes_.resize((pieces_.size() + 1) * n_memories_);
    free_.reserve(pieces_.size() + 1);  // so that remove cannot fail
    pieces_.emplace_back();
    free_.emplace_back(static_cast<int>(pieces_.size() - 1));
  }
  const piece made = free_.back();
  free_.pop_back();
  at(made).name = std::move(name);
  return made;
}

void table::remove(piece what) noexcept {
  at(what) = {};
  for (std::size_t m = 0; m < n_memories_; ++m) at(what, space_id{static_cast<int>(m)}) = {};
  free_.push_back(what);
}

const table::entry& table::at(piece what) const {
  YOKE_ASSERT(what >= 0 && static_cast<std::size_t>(int{what}) < pieces_.size(), "a piece of this table");
  return pieces_[static_cast<std::size_t>(int{what})];
}

const table::bytes& table::at(piece what, space_id memory) const {
  YOKE_ASSERT(memory >= 0 && static_cast<std::size_t>(int{memory}) < n_memories_, "a memory of this table");
  return bytes_[static_cast<std::size_t>(int{what}) * n_memories_ + static_cast<std::size_t>(int{memory})];
}

std::exception_ptr table::error_of(piece what) const {
  const entry& of = at(what);
  if (of.home == space_id{}) return of.lost;
  const mark_ptr& writer = at(what, of.home).writer;
  return writer == nullptr ? nullptr : writer->error();
}

state table::state_of(piece what) const {
  const entry& of = at(what);
  if (of.latest == 0) return state::empty;
  if (error_of(what) != nullptr) return state::broken;
  return is_under_way(at(what, of.home).writer) ? state::being_written : state::whole;
}

bool table::holds(piece what, space_id memory) const {
  const bytes& there = at(what, memory);
  return there.version != 0 && there.version == at(what).latest && !has_failed(there.writer) &&
         error_of(what) == nullptr;
}

bool table::is_idle(piece what, space_id memory) const {
  const bytes& there = at(what, memory);
  if (is_under_way(there.writer)) return false;
  for (const mark_ptr& each : there.readers)
    if (each->is_under_way()) return false;
  return true;
}

bool table::is_quiet(piece what) const {
  for (std::size_t m = 0; m < n_memories_; ++m)
    if (!is_idle(what, space_id{static_cast<int>(m)})) return false;
  const auto is_open = [](const mark_ptr& each) { return each->is_under_way(); };
  return !has_replicas(what) && std::ranges::none_of(at(what).promised, is_open);
}

void table::promise(piece what, const mark_ptr& by) {
  at(what).promised.forget_ended();
  at(what).promised.add(by);
}

bool table::has_replicas(piece what) const {
  for (int m = 0; m < static_cast<int>(n_memories_); ++m)
    if (space_id{m} != at(what).home && holds(what, space_id{m})) return true;
  return false;
}

space_id table::other_holder(piece what, space_id than) const {
  for (int m = 0; m < static_cast<int>(n_memories_); ++m) {
    const space_id memory{m};
    if (memory != than && is_whole_in(what, memory)) return memory;
  }
  return {};
}

std::optional<space_id> table::source_for(piece what, space_id to) const {
  const entry& of = at(what);
  if (of.home == space_id{} || holds(what, to)) return std::nullopt;
  return of.home;
}

void table::add_before(const use& next, stream on, marks& all) const {
  for_each_before(next, [&](const mark_ptr& each) {
    if (each->on() != on || on == stream{}) all.add(each);
  });
}

void table::write(bytes& to, const mark_ptr& by) {
  to.readers.forget_ended();
  if (by != nullptr) to.readers.clear();
  if (by != nullptr || !is_under_way(to.writer)) to.writer = by;
}

void table::begin(const use& next, const mark_ptr& by) {
  bytes& there = at(next.what, next.memory);
  if (next.how == usage::read) {
    there.readers.forget_ended();
    if (by != nullptr) there.readers.add(by);
    return;
  }
  write(there, by);
  entry& of = at(next.what);
  of.latest = there.version = ++n_versions_;
  of.home = next.memory;
}

void table::copy(piece what, space_id from, space_id to, const mark_ptr& by) {
  begin({what, from, usage::read}, by);
  if (to == at(what).home) return begin({what, to, usage::write}, by);
  write(at(what, to), by);
  at(what, to).version = at(what, from).version;
}

void table::forget(piece what, space_id memory) {
  YOKE_ASSERT(memory != at(what).home, "its bytes at home are the latest version");
  at(what, memory).version = 0;
}

void table::leave(piece what, space_id memory, const std::exception_ptr& why) {
  entry& of = at(what);
  if (of.home == memory) {
    const std::exception_ptr error = error_of(what);
    of.home = other_holder(what, memory);
    if (of.home == space_id{}) {
      of.lost = error != nullptr ? error : why;
      if (of.lost == nullptr) of.latest = 0;
    }
  }
  at(what, memory) = {};
}

void table::drop(piece what, space_id memory) { leave(what, memory, nullptr); }

void table::clear(piece what) {
  YOKE_ASSERT(home_of(what) == space_id{}, "a piece that is at home nowhere");
  at(what).latest = 0;
  at(what).lost = nullptr;
}

bool table::evict(piece what, space_id memory) {
  if (!is_idle(what, memory)) return false;
  if (holds(what, memory) && other_holder(what, memory) == space_id{}) return false;
  drop(what, memory);
  return true;
}

std::vector<piece> table::lose(space_id memory, const std::exception_ptr& why) {
  YOKE_ASSERT(why != nullptr, "an error for what is lost");
  std::vector<piece> lost;
  for (int p = 0; p < static_cast<int>(pieces_.size()); ++p) {
    const piece what{p};
    leave(what, memory, why);
    if (error_of(what) == why) lost.push_back(what);
  }
  return lost;
}

}  // namespace yoke::versions
