#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <yoke/dispatcher.hpp>
#include <yoke/error.hpp>

namespace yoke::flow {

namespace {

versions::usage usage_of(role as) { return as == role::in ? versions::usage::read : versions::usage::write; }

}  // namespace

dispatcher::dispatcher(versions::table& all, const std::vector<lane>& lanes, lane_between transfers,
                       versions::worker* self)
    : table_{all}, self_{self}, transfers_{std::move(transfers)} {
  for (const lane& each : lanes) lanes_.push_back({.is = each});
}

dispatcher::~dispatcher() {
  // One by one: each has the one before it, and a million are deeper than a stack.
  for (lane_state& on : lanes_)
    for (auto* const all : {&on.begun, &on.waiting})
      for (const work_ptr& each : *all) each->before_.clear(), each->sources_.clear();
}

const dispatcher::lane_state& dispatcher::at(lane_id of) const {
  YOKE_ASSERT(of >= 0 && static_cast<std::size_t>(int{of}) < lanes_.size(), "a lane of this dispatcher");
  return lanes_[static_cast<std::size_t>(int{of})];
}

bool dispatcher::is_idle() const {
  return std::ranges::all_of(lanes_,
                             [](const lane_state& of) { return of.waiting.empty() && of.begun.empty(); });
}

// What is told.

std::vector<argument> dispatcher::each_once(const request& next) const {
  std::vector<argument> all;
  for (const argument& each : next.arguments) {
    const auto same = std::ranges::find(all, each.what, &argument::what);
    if (same == all.end()) {
      all.push_back(each);
    } else if (same->as != each.as) {
      same->as = role::inout;
    }
    if (each.as != role::out && table_.state_of(each.what) == versions::state::empty) {
      throw usage_error{
          fmt::format("{}: it reads {}, to which nothing has been written yet; let it write all of it, "
                      "or something before it",
                      next.name, table_.name_of(each.what))};
    }
  }
  return all;
}

std::vector<dispatcher::message> dispatcher::messages_for(std::span<const argument> arguments,
                                                          space_id memory) const {
  std::vector<message> all;
  for (const argument& each : arguments) {
    const space_id to = each.memory.value_or(memory);
    auto from = each.as == role::out ? std::nullopt : table_.source_for(each.what, to);
    if (!from || table_.error_of(each.what) != nullptr) continue;
    if (transfers_(*from, to) == lane_id{} && table_.holds(each.what, host_space)) from = host_space;
    versions::mark_ptr writer = table_.writer_of(each.what, *from);
    if (writer != nullptr && !writer->is_under_way()) writer = nullptr;
    const auto with = std::ranges::find_if(all, [&](const message& other) {
      return other.from == *from && other.to == to && other.writer == writer;
    });
    if (with != all.end()) {
      with->pieces.push_back(each.what);
    } else {
      all.push_back({*from, to, std::move(writer), {each.what}});
    }
  }
  return all;
}

work_ptr dispatcher::make(std::string_view name, lane_id on) {
  lane_state& of = at(on);
  auto made = std::make_shared<work>(std::string{name}, on, versions::stream{&of}, ++of.n_told, self_);
  made->failure_ = of.lost;
  return made;
}

void dispatcher::use(work& next, const versions::use& how) {
  table_.add_before(how, next.on(), next.before_);
}

void dispatcher::read(work& next, versions::piece what, space_id memory) {
  if (next.doom_ == nullptr) next.doom_ = table_.error_of(what);
  if (const versions::mark_ptr& writer = table_.writer_of(what, memory); writer != nullptr)
    next.sources_.push_back(writer);
}

void dispatcher::bring(const message& what, std::string_view for_whom) {
  const space_id to = what.to;
  const lane_id on = transfers_(what.from, to);
  if (on == lane_id{}) {
    bring({what.from, host_space, what.writer, what.pieces}, for_whom);
    return bring({host_space, to, nullptr, what.pieces}, for_whom);
  }
  const work_ptr made = make(for_whom, on);
  made->brings_ = {what.from, to, what.pieces};
  for (const versions::piece each : what.pieces) {
    use(*made, {each, what.from, versions::usage::read});
    use(*made, {each, to, versions::usage::write});
    read(*made, each, what.from);
  }
  for (const versions::piece each : what.pieces) table_.copy(each, what.from, to, made);
  line_up(made);
}

/// Those before it know that somebody comes.
void dispatcher::line_up(const work_ptr& next) {
  lane_state& on = at(next->lane());
  const std::deque<work_ptr>& line = on.waiting.empty() ? on.begun : on.waiting;
  if (!line.empty()) line.back()->await();
  for (const versions::mark_ptr& each : next->before_)
    if (each->by() == self_) static_cast<work&>(*each).await();
  on.waiting.push_back(next);
}

work_ptr dispatcher::enqueue(const request& next) {
  const space_id memory = at(next.on).is.memory;
  const std::vector<argument> arguments = each_once(next);
  if (next.failure == nullptr)
    for (const message& each : messages_for(arguments, memory)) bring(each, next.name);
  work_ptr made = make(next.name, next.on);
  made->plan_ = next.plan;
  made->says_end_ = next.says_end;
  if (next.failure != nullptr) made->failure_ = next.failure;
  const auto use_of = [memory](const argument& each) {
    return versions::use{each.what, each.memory.value_or(memory), usage_of(each.as)};
  };
  for (const argument& each : arguments) {
    use(*made, use_of(each));
    if (each.as != role::out) read(*made, each.what, each.memory.value_or(memory));
  }
  for (const auto& all : {next.after, next.behind})
    for (const work_ptr& each : all)
      if (each->is_under_way() && each->on() != made->on()) made->before_.add(each);
  made->sources_.insert(made->sources_.end(), next.after.begin(), next.after.end());
  for (const argument& each : arguments) table_.begin(use_of(each), made);
  line_up(made);
  return made;
}

// What begins.

/// Whether it has nothing to wait for but what the lane itself can wait for.
bool dispatcher::is_behind(const lane_state& on, const versions::mark& before) const {
  if (!before.is_under_way()) return true;
  const work* const other = own(before);
  if (other == nullptr) return false;
  const lane_state& of = at(other->lane());
  return on.is.what == lane::kind::queue && of.is.what == lane::kind::queue &&
         of.is.backend == on.is.backend && other->has_begun() && of.lost == nullptr;
}

/// Whether it has failed or something that it reads will: with which error that is known when it is over.
bool dispatcher::never_runs(const work& next) const {
  return next.doom_ != nullptr || std::ranges::any_of(next.sources_, [this](const auto& each) {
           const work* const source = own(*each);
           return source != nullptr && source->failure_ != nullptr;
         });
}

bool dispatcher::may_begin(const lane_state& on, const work& next) const {
  // What will not run waits for nothing on a device; and it is over when all before it is.
  if (never_runs(next)) return next.before_.are_over();
  if (on.is.what == lane::kind::seat && !on.begun.empty()) return false;
  return std::ranges::all_of(next.before_,
                             [&](const versions::mark_ptr& each) { return is_behind(on, *each); });
}

dispatcher::start dispatcher::begin(lane_state& on) {
  work_ptr next = std::move(on.waiting.front());
  on.waiting.pop_front();
  on.begun.push_back(next);
  next->has_begun_ = true;
  next->before_.forget_ended();
  versions::marks behind = next->before_;
  return {std::move(next), std::move(behind)};
}

/// Whether it has failed or will: with what it reads, or what it comes after, else by itself.
bool dispatcher::is_doomed(work& next) const {
  for (const auto& each : next.sources_) {
    if (next.doom_ != nullptr) break;
    const work* const source = own(*each);
    next.doom_ = source != nullptr ? source->doom_ : each->error();
  }
  if (next.doom_ == nullptr) next.doom_ = next.failure_;
  return next.doom_ != nullptr;
}

std::optional<dispatcher::start> dispatcher::begin_next() {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (lane_state& on : lanes_) {
      while (!on.waiting.empty()) {
        work& next = *on.waiting.front();
        const bool runs = !is_doomed(next) && !never_runs(next);
        if (!may_begin(on, next)) break;
        start begun = begin(on);
        if (runs) return begun;
        next.has_run_ = true;  // in its place: what is over on a lane has nothing before it
        settle();
        goes_on = true;  // something else may have waited for it
      }
    }
  }
  return std::nullopt;
}

versions::mark_ptr dispatcher::held_up_by(const work_ptr& what) const {
  work_ptr next = what;
  while (next->is_under_way()) {
    const lane_state& on = at(next->lane());
    if (next->has_begun() && !next->has_run_) return next;
    const std::deque<work_ptr>& in_line = next->has_begun() ? on.begun : on.waiting;
    const bool must_be_over = next->has_begun() || never_runs(*next);
    const auto holds = [&](const versions::mark_ptr& each) {
      return must_be_over ? each->is_under_way() : !is_behind(on, *each);
    };
    const auto before = std::ranges::find_if(next->before_, holds);
    if (next != in_line.front()) {
      next = in_line.front();
    } else if (before != next->before_.end()) {
      if (own(**before) == nullptr) return *before;
      next = std::static_pointer_cast<work>(*before);
    } else if (!next->has_begun() && on.is.what == lane::kind::seat && !on.begun.empty()) {
      next = on.begun.front();
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

}  // namespace yoke::flow
