#include "zone_program.hpp"

#include "rank_votes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include <yoke/clock.hpp>
#include <yoke/detail/error_text.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/links.hpp>
#include <yoke/warm_up.hpp>

namespace yoke::detail {

namespace {

/// Swaps that have not come round by then are refused: each step of the period is laid out.
constexpr int longest_period = 24;
/// So many steps of those that a schedule is told of are timed, the last ones: it keeps few of each unit.
constexpr std::int64_t most_timed = 8;
/// What warming up may take of the steps that count, beyond what is needed.
constexpr double most_of_program = 0.03;

void exchange(std::vector<int>& storages, const std::vector<int>& fields, int a, int b) {
  const auto at = [&](int field) {
    return static_cast<std::size_t>(std::ranges::find(fields, field) - fields.begin());
  };
  std::swap(storages[at(a)], storages[at(b)]);
}

bool goes_through_host(const storage_faces::way& by, const compute_units& units, const link_table& links) {
  if (is_rank(by.first) || is_rank(by.second)) return false;
  const auto space_of = [&](face_end end) { return units.at(unit_id{static_cast<int>(end)}).space; };
  const space_id from = space_of(by.first), to = space_of(by.second);
  return from != host_space && to != host_space && from != to && !links.is_direct(from, to);
}

/// Whether that is so on any rank.
std::vector<char> of_any(ranks& among, std::span<const char> mine) {
  std::vector<char> any(mine.begin(), mine.end());
  for (const std::vector<char>& each : gathered<char>(among, mine))
    for (std::size_t i = 0; i < any.size(); ++i) any[i] = static_cast<char>(any[i] | each.at(i));
  return any;
}

}  // namespace

void zone_program::check_own(const zone_use& use, const std::string& what) const {
  if (use.of != core_.get())
    throw usage_error{fmt::format("{}: a field of other zones than those of the recording", what)};
}

/// Errors: usage_error where faces cannot be sent.
void zone_program::check_sending(const zone_use& use, const zone_operation& by) const {
  if (!use.sends) return;
  const zone_field& of = core_->field(use.field);
  if (!by.call->takes_batch())
    throw usage_error{fmt::format(
        "{}: sends_faces for {}; call_batch and call_prepared take it, which have all zones at once", by.name,
        of.name)};
  if (core_->storage(of.storage).form.has_corners)
    throw usage_error{fmt::format("{}: sends_faces for {}, whose halo has corners; one without is accepted",
                                  by.name, of.name)};
}

void zone_program::add(zone_operation next) {
  for (std::size_t i = 0; i < next.uses.size(); ++i) {
    const int field = next.uses[i].field;
    check_own(next.uses[i], next.name);
    check_sending(next.uses[i], next);
    for (std::size_t j = 0; j < i; ++j)
      if (next.uses[j].field == field)
        throw usage_error{fmt::format("{}: {} twice; name a field once, inout where it is read and written",
                                      next.name, core_->field(field).name)};
    if (std::ranges::find(fields_, field) == fields_.end()) fields_.push_back(field);
  }
  entries_.push_back({.operation = static_cast<int>(operations_.size())});
  operations_.push_back(std::move(next));
}

void zone_program::add_swap(const zone_use& a, const zone_use& b) {
  for (const zone_use& each : {a, b}) {
    check_own(each, "swap");
    if (std::ranges::find(fields_, each.field) == fields_.end()) fields_.push_back(each.field);
  }
  if (a.field == b.field)
    throw usage_error{
        fmt::format("swap: {} with itself; a swap takes two fields", core_->field(a.field).name)};
  const zone_field &first = core_->field(a.field), &second = core_->field(b.field);
  const field_form &one = core_->storage(first.storage).form, &other = core_->storage(second.storage).form;
  if (one.halo != other.halo || one.element != other.element)
    throw usage_error{fmt::format("swap: {} and {} have unlike halos or elements", first.name, second.name)};
  entries_.push_back({.a = a.field, .b = b.field});
}

void zone_program::check_alive() const {
  for (const int each : fields_)
    if (core_->field(each).storage < 0)
      throw usage_error{
          fmt::format("replay: {}, which the recording uses, has ended", core_->field(each).name)};
}

std::vector<int> zone_program::storages_now() const {
  std::vector<int> all;
  for (const int each : fields_) all.push_back(core_->field(each).storage);
  return all;
}

int zone_program::step_now() const {
  if (compiled_ == nullptr || compiled_->layout_number() != core_->layout_number()) return -1;
  const auto found = std::ranges::find(storages_at_, storages_now());
  return found == storages_at_.end() ? -1 : static_cast<int>(found - storages_at_.begin());
}

/// Lists steps until swaps have come round.
void zone_program::compile() {
  compiled_.reset();
  storages_at_.clear();
  std::vector<std::vector<stage_operation>> steps;
  const std::vector<int> begin = storages_now();
  std::vector<int> storages = begin;
  do {
    if (std::ssize(steps) == longest_period)
      throw usage_error{fmt::format("replay: swaps have not come round in {} steps", longest_period)};
    storages_at_.push_back(storages);
    std::vector<stage_operation>& step = steps.emplace_back();
    for (const entry& each : entries_) {
      if (each.operation < 0) {
        exchange(storages, fields_, each.a, each.b);
        continue;
      }
      stage_operation next{each.operation, {}};
      for (const zone_use& use : operations_[static_cast<std::size_t>(each.operation)].uses) {
        const auto at = static_cast<std::size_t>(std::ranges::find(fields_, use.field) - fields_.begin());
        next.uses.push_back({storages[at], use.reads_halo && !core_->joins().empty(), use.writes, use.sends});
      }
      step.push_back(std::move(next));
    }
  } while (storages != begin);
  compiled_ = std::make_unique<compiled_steps>(*core_, operations_, steps);
}

void zone_program::one_step(bool is_timed, bool may_be_first) {
  int k = step_now();
  if (k < 0) {
    compile();
    k = 0;
  }
  std::vector<char> stale = compiled_->stale_before(k);
  if (core_->among() != nullptr && may_be_first) stale = of_any(*core_->among(), stale);
  compiled_->prepare(k, stale);
  compiled_->enqueue(k, is_timed);
  for (const entry& each : entries_)
    if (each.operation < 0) core_->swap_storages(each.a, each.b);
  compiled_->note_written();
}

/// What ranks must have alike: roles and swaps, in their order.
std::uint64_t zone_program::listed() const {
  fingerprint made;
  for (const entry& each : entries_) {
    made.add(each.a);
    made.add(each.b);
    if (each.operation < 0) continue;
    const zone_operation& what = operations_[static_cast<std::size_t>(each.operation)];
    made.add(std::string_view{what.name});
    for (const zone_use& use : what.uses) {
      made.add(use.field);
      made.add(static_cast<int>(use.reads_halo) + 2 * static_cast<int>(use.reads) +
               4 * static_cast<int>(use.writes) + 8 * static_cast<int>(use.sends));
    }
  }
  return made.value();
}

/// Errors: usage_error, on all ranks.
void zone_program::check_alike(std::int64_t steps) const {
  const std::array<std::uint64_t, 2> mine{static_cast<std::uint64_t>(steps), listed()};
  const auto all = gathered<std::uint64_t>(*core_->among(), mine);
  if (const int other = first_unlike(all, 0); other >= 0)
    throw usage_error{fmt::format("replay: {} steps on rank 0, {} on rank {}; all ranks replay the same",
                                  all[0][0], all[static_cast<std::size_t>(other)][0], other)};
  if (const int other = first_unlike(all, 1); other >= 0)
    throw usage_error{fmt::format(
        "replay: ranks 0 and {} have recorded unlike launches or swaps; all ranks record the same", other)};
}

/// The dealer goes by the recording that has done most, once that is warm.
bool zone_program::leads() const { return steps_done_ > 0 && steps_done_ >= core_->most_steps(); }

/// Steps until the dealer is told of them, on any rank.
std::int64_t zone_program::steps_until_look() {
  if (!leads()) return steps_done_ > 0 ? pass_plan::for_good : 1;
  zone_dealer* const dealer = core_->dealer();
  const std::int64_t own =
      dealer == nullptr ? pass_plan::for_good : std::max<std::int64_t>(dealer->steps_left(), 1);
  if (core_->among() == nullptr || !may_look_) return own;
  std::int64_t least = own;
  for (const std::vector<std::int64_t>& each : gathered<std::int64_t>(*core_->among(), std::span{&own, 1}))
    least = std::min(least, each.at(0));
  may_look_ = least < pass_plan::for_good;
  return least;
}

void zone_program::run_told(std::int64_t steps) {
  zone_dealer& dealer = *core_->dealer();
  if (group_.steps == 0) {
    core_->wait();
    core_->take_accounts();  // of what others have run
    group_ = {.is_whole = true, .begin = now()};
  }
  for (std::int64_t i = 0; i < steps; ++i) {
    const bool is_timed = dealer.steps_left() - i <= most_timed;
    if (is_timed && group_.timed++ == 0) {
      if (step_now() < 0) compile();
      compiled_->start_clocks();
    }
    one_step(is_timed, i == 0);
  }
  group_.steps += steps;
  dealer.count(steps);
  if (dealer.steps_left() <= 0) tell(dealer);
}

/// Of units that share, what each has done.
void zone_program::add_shared(std::int64_t steps, std::vector<seconds>& times) {
  const zone_layout& layout = core_->layout();
  if (layout.sharing.empty()) return;
  const std::vector<cpu_pool::account> all = core_->take_accounts();
  double weight_of_launches = 0, weight = 0;
  for (const cpu_pool::account& each : all) weight_of_launches += each.weight;
  for (const int zone : layout.of(layout.sharing.front()))
    weight += core_->weights()[static_cast<std::size_t>(zone)];
  for (std::size_t member = 0; member < all.size(); ++member) {
    const auto unit = static_cast<std::size_t>(int{layout.sharing[member]});
    measured_[unit] = all[member].time / static_cast<double>(steps);
    const double part = weight_of_launches > 0 ? all[member].weight / weight_of_launches : 0;
    times[unit] = part > 0 ? measured_[unit] / (part * weight) : 0;
  }
}

/// Of the steps that ran since it was told last.
void zone_program::tell(zone_dealer& dealer) {
  const told_steps done = std::exchange(group_, {});
  core_->wait();
  std::optional<seconds> time;
  if (done.is_whole) time = elapsed(done.begin, now());
  measured_ = compiled_->take_clocks();
  std::vector<seconds> times = measured_;
  for (std::size_t unit = 0; unit < times.size(); ++unit) {
    measured_[unit] /= static_cast<double>(done.timed);
    double weight = 0;
    for (const int zone : core_->layout().zones_of[unit])
      weight += core_->weights()[static_cast<std::size_t>(zone)];
    times[unit] = weight > 0 ? measured_[unit] / weight : 0;
  }
  add_shared(done.steps, times);
  dealer.tell(done.steps, times, time);
  core_->follow();
}

void zone_program::replay(std::int64_t steps) {
  refuse_in_forked_child();
  core_->refuse_in_region("replayed");
  if (steps < 0) throw usage_error{fmt::format("replay: {} steps; 0 or more are accepted", steps)};
  check_alive();
  if (core_->among() != nullptr) check_alike(steps);
  try {
    run(steps);
  } catch (...) {
    if (core_->among() == nullptr) throw;
    core_->among()->end_all(text_of(std::current_exception()));  // others wait for what it would have told
    throw;
  }
}

/// On any rank.
std::int64_t zone_program::most_of_ranks(std::int64_t mine) const {
  if (core_->among() == nullptr) return mine;
  std::int64_t most = 0;
  for (const std::vector<std::int64_t>& each : gathered<std::int64_t>(*core_->among(), std::span{&mine, 1}))
    most = std::max(most, each.at(0));
  return most;
}

std::int64_t zone_program::warm_up(std::int64_t steps) {
  if (steps < 0) throw usage_error{fmt::format("warm_up: {} steps; 0 or more are accepted", steps)};
  replay(1);
  zone_dealer* const dealer = core_->dealer();
  std::optional<yoke::warm_up> rule;
  if (dealer != nullptr) {
    rule.emplace(dealer->plan(), steps);
    rule->next(dealer->pass());  // the step that there was
  }
  std::int64_t done = 1;
  seconds spent = 0;
  warm_up_outcome last;
  while (const std::int64_t n = most_of_ranks(dealer == nullptr ? 0 : rule->next(dealer->pass(), last))) {
    const ticks begin = now();
    const long layout = core_->layout_number();
    replay(n);
    core_->wait();
    const seconds took = elapsed(begin, now());
    spent += took;
    done += n;
    last = {.map_is_new = core_->layout_number() != layout,
            .allowance_is_spent =
                spent > most_of_program * static_cast<double>(steps) * took / static_cast<double>(n)};
  }
  if (dealer != nullptr) dealer->time_counts();
  return done;
}

void zone_program::run(std::int64_t steps) {
  while (steps > 0) {
    const std::int64_t n = std::min(steps, steps_until_look());
    const bool is_told = leads() && core_->dealer() != nullptr && !core_->dealer()->holds();
    if (is_told)
      run_told(n);
    else
      for (std::int64_t i = 0; i < n; ++i) one_step(false, i == 0);
    steps -= n;
    steps_done_ += n;
    core_->count_steps(steps_done_);
  }
  group_.is_whole = false;  // what the program does before its next replay takes time, too
}

std::string zone_program::explain() {
  check_alive();
  if (step_now() < 0) compile();
  std::string text;
  const auto& units = core_->rt().units();
  for (const compute_unit& each : units.all()) {
    const zone_layout& layout = core_->layout();
    const auto zones = std::ranges::count(layout.dealt, each.id);
    text +=
        fmt::format("unit {} ({}): {} zones, {} launches a step", int{each.id},
                    each.dev == nullptr ? fmt::format("{} CPUs", each.cpus.size()) : each.dev->info().name,
                    zones, compiled_->launches(0, each.id));
    if (layout.member(each.id) >= 0) text += ", shares those of all CPU CUs";
    const auto u = static_cast<std::size_t>(int{each.id});
    if (u < measured_.size() && measured_[u] > 0)
      text += fmt::format(", {:.3g} ms a step when measured", 1e3 * measured_[u]);
    text += '\n';
  }
  if (const zone_dealer* const dealer = core_->dealer()) text += dealer->plan().describe() + '\n';
  std::map<storage_faces::way, std::size_t> bytes;
  std::size_t n_exchanges = 0;
  for (const stage& each : compiled_->stages().of_step(0)) {
    n_exchanges += each.exchanged.size();
    for (const int storage : each.exchanged)
      for (const auto& [pair, n] : compiled_->faces().at(storage).bytes()) bytes[pair] += n;
  }
  text +=
      fmt::format("a step: {} stages, {} halos filled\n", compiled_->stages().of_step(0).size(), n_exchanges);
  const link_table links{core_->rt().devices()};
  for (const auto& [by, n] : bytes)
    text += fmt::format("from {} to {}: {} bytes a step{}\n", name_of(by.first), name_of(by.second), n,
                        goes_through_host(by, units, links) ? ", through the host" : "");
  return text;
}

}  // namespace yoke::detail
