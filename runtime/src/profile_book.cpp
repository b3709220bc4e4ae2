#include "profile_book.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view schema = "yoke-profile/1";

ordered_json to_json(const speed& line) { return {line.launch, line.per_weight}; }

ordered_json to_json(const kept_run& run) {
  ordered_json units = ordered_json::array(), maps = ordered_json::array();
  for (const unit_profile& one : run.learnt.units)
    units.push_back(one.is_known()
                        ? ordered_json{{"usual", to_json(one.usual)}, {"careful", to_json(one.careful)}}
                        : ordered_json::object());
  for (const map_profile& one : run.learnt.maps)
    maps.push_back({{"use", one.use}, {"number", one.number}, {"pass_s", one.pass}, {"error", one.error}});
  return {{"when", run.when}, {"units", std::move(units)}, {"maps", std::move(maps)}};
}

ordered_json to_json(const profile_entry& entry) {
  ordered_json runs = ordered_json::array();
  for (const kept_run& run : entry.runs) runs.push_back(to_json(run));
  const profile_key& key = entry.key;
  return {{"machine", key.machine},   {"build", key.build}, {"program", key.program}, {"work", key.work},
          {"schedule", key.schedule}, {"cus", key.cus},     {"runs", std::move(runs)}};
}

/// Errors (of these, too): json::exception, std::runtime_error.
double finite(const json& from) {
  const double value = from.get<double>();
  if (!std::isfinite(value) || value < 0) throw std::runtime_error{"a time is negative or not finite"};
  return value;
}

int whole(const json& from) {
  if (!from.is_number_integer() || from < 0 || from > std::numeric_limits<int>::max())
    throw std::runtime_error{"a map's number is not a whole one"};
  return from.get<int>();
}

speed to_speed(const json& from) { return {.launch = finite(from.at(0)), .per_weight = finite(from.at(1))}; }

kept_run to_run(const json& from) {
  kept_run run{.when = finite(from.at("when")), .learnt = {}};
  for (const json& one : from.at("units")) {
    unit_profile unit{.runs = 0};
    if (one.contains("usual"))
      unit = {.usual = to_speed(one.at("usual")), .careful = to_speed(one.at("careful"))};
    run.learnt.units.push_back(unit);
  }
  for (const json& one : from.at("maps"))
    run.learnt.maps.push_back({.use = one.at("use"),
                               .number = whole(one.at("number")),
                               .pass = finite(one.at("pass_s")),
                               .error = finite(one.at("error"))});
  return run;
}

profile_entry to_entry(const json& from) {
  profile_entry entry{.key = {.machine = from.at("machine"),
                              .build = from.at("build"),
                              .program = from.at("program"),
                              .work = from.at("work"),
                              .schedule = from.at("schedule"),
                              .cus = from.at("cus")},
                      .runs = {}};
  for (const json& run : from.at("runs")) entry.runs.push_back(to_run(run));
  return entry;
}

/// "parse error at line 1, column 2" of "[json.exception.parse_error.101] parse error at line 1, column 2:
/// …".
std::string_view short_form(std::string_view message) {
  message.remove_prefix(std::min(message.find("] ") + 2, message.size()));
  return message.substr(0, message.find(": "));
}

}  // namespace

const profile_entry* profile_book::find(const profile_key& key) const {
  const auto at = std::ranges::find(entries_, key, &profile_entry::key);
  return at == entries_.end() ? nullptr : &*at;
}

bool profile_book::has_machine(std::string_view machine) const {
  return std::ranges::any_of(entries_, [&](const profile_entry& one) { return one.key.machine == machine; });
}

void profile_book::add(const profile_key& key, kept_run run) {
  auto at = std::ranges::find(entries_, key, &profile_entry::key);
  if (at == entries_.end()) at = entries_.insert(at, {key, {}});
  at->runs.insert(at->runs.begin(), std::move(run));
  if (at->runs.size() > most_runs) at->runs.resize(most_runs);
  std::rotate(entries_.begin(), at, at + 1);
  if (entries_.size() > most_entries) entries_.resize(most_entries);
}

std::string profile_book::text() const {
  ordered_json entries = ordered_json::array();
  for (const profile_entry& one : entries_) entries.push_back(to_json(one));
  const ordered_json all{{"schema", schema}, {"entries", std::move(entries)}};
  return json_text(all, 1) + "\n";
}

std::variant<profile_book, std::string> profile_book::parse(std::string_view text) {
  profile_book book;
  if (text.empty()) return book;
  try {
    const json all = json::parse(text);
    if (!all.is_object() || !all.contains("schema") || all.at("schema") != schema)
      return fmt::format("is no profile of this version ({})", schema);
    for (const json& one : all.at("entries")) book.entries_.push_back(to_entry(one));
  } catch (const json::exception& problem) {
    return fmt::format("is damaged: {}", short_form(problem.what()));
  } catch (const std::runtime_error& problem) {
    return fmt::format("is damaged: {}", problem.what());
  }
  return book;
}

}  // namespace yoke::detail
