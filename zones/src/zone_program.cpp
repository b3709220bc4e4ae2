#include "zone_program.hpp"

#include "rank_votes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/links.hpp>

namespace yoke::detail {

namespace {

/// Swaps that have not come round by then are refused: each step of the period is laid out.
constexpr int longest_period = 24;
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

void zone_program::compile() {
  try {
    return make_compiled();
  } catch (const out_of_memory& problem) {
    compiled_.reset();
    if (!core_->retreat(problem)) throw;
  }
  make_compiled();
}

/// Lists steps until swaps have come round.
void zone_program::make_compiled() {
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

void zone_program::one_step(bool is_timed, bool may_be_first, bool is_last) {
  int k = step_now();
  if (k < 0) {
    compile();
    k = 0;
  }
  std::vector<char> stale = compiled_->stale_before(k);
  if (core_->among() != nullptr && may_be_first) stale = of_any(*core_->among(), stale);
  compiled_->prepare(k, stale);
  compiled_->enqueue(k, is_timed, is_last);
  for (const entry& each : entries_)
    if (each.operation < 0) core_->swap_storages(each.a, each.b);
  compiled_->note_written();
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
  if (!core_->given_up().empty())
    text += fmt::format("all zones are on CPU CUs, for there was too little memory: {}\n", core_->given_up());
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
