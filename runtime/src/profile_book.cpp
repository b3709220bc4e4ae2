#include "profile_book.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include <yoke/number_range.hpp>
#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

using nlohmann::json, nlohmann::ordered_json;

constexpr std::string_view schema = "yoke-profile/1";

// What is written, and read again.
constexpr number_range launches = amounts_or_none, errors = amounts_or_none, times = amounts_or_none;

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

/// Errors (of all that read): json::exception; std::runtime_error with the place, the value and what is
/// accepted.
double number(const ordered_json& from, const number_range& range, const std::string& place) {
  if (from.is_number() && range.has(from.get<double>())) return from.get<double>();
  throw std::runtime_error{
      fmt::format("{}: {:.40} is not accepted; {}", place, json_text(from), range.accepted())};
}

int whole(const ordered_json& from, const std::string& place) {
  if (from.is_number_integer() && from >= 0 && from <= std::numeric_limits<int>::max())
    return from.get<int>();
  throw std::runtime_error{
      fmt::format("{}: {:.40} is not accepted; a whole number from 0 up", place, json_text(from))};
}

speed to_speed(const ordered_json& from, const std::string& place) {
  return {.launch = number(from.at(0), launches, place + "[0]"),
          .per_weight = number(from.at(1), amounts, place + "[1]")};
}

unit_profile to_unit(const ordered_json& from, const std::string& place) {
  if (!from.contains("usual")) return {.runs = 0};
  return {.usual = to_speed(from.at("usual"), place + ".usual"),
          .careful = to_speed(from.at("careful"), place + ".careful")};
}

map_profile to_map(const ordered_json& from, const std::string& place) {
  return {.use = from.at("use"),
          .number = whole(from.at("number"), place + ".number"),
          .pass = number(from.at("pass_s"), amounts, place + ".pass_s"),
          .error = number(from.at("error"), errors, place + ".error")};
}

kept_run to_run(const ordered_json& from, const std::string& place) {
  kept_run run{.when = number(from.at("when"), times, place + ".when"), .learnt = {}};
  for (const ordered_json& one : from.at("units"))
    run.learnt.units.push_back(to_unit(one, fmt::format("{}.units[{}]", place, run.learnt.units.size())));
  for (const ordered_json& one : from.at("maps"))
    run.learnt.maps.push_back(to_map(one, fmt::format("{}.maps[{}]", place, run.learnt.maps.size())));
  return run;
}

profile_entry to_entry(const ordered_json& from, const std::string& place) {
  profile_entry entry{.key = {.machine = from.at("machine"),
                              .build = from.at("build"),
                              .program = from.at("program"),
                              .work = from.at("work"),
                              .schedule = from.at("schedule"),
                              .cus = from.at("cus")},
                      .runs = {}};
  for (const ordered_json& run : from.at("runs"))
    entry.runs.push_back(to_run(run, fmt::format("{}.runs[{}]", place, entry.runs.size())));
  return entry;
}

/// As far as it can be read.
profile_key key_in(const ordered_json& from) {
  const auto text = [&](const char* name) {
    return from.is_object() && from.contains(name) && from.at(name).is_string()
               ? from.at(name).get<std::string>()
               : std::string{};
  };
  return {.machine = text("machine"),
          .build = text("build"),
          .program = text("program"),
          .work = text("work"),
          .schedule = text("schedule"),
          .cus = text("cus")};
}

bool is_readable(const speed& line) { return launches.has(line.launch) && amounts.has(line.per_weight); }

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

profile profile_book::readable(profile learnt) {
  for (unit_profile& one : learnt.units)
    if (one.is_known() && (!is_readable(one.usual) || !is_readable(one.careful))) one = {.runs = 0};
  std::erase_if(learnt.maps, [](const map_profile& one) {
    return one.number < 0 || !amounts.has(one.pass) || !errors.has(one.error);
  });
  return learnt;
}

void profile_book::add(const profile_key& key, kept_run run) {
  if (!times.has(run.when)) return;
  run.learnt = readable(std::move(run.learnt));
  auto at = std::ranges::find(entries_, key, &profile_entry::key);
  if (at == entries_.end()) at = entries_.insert(at, {key, {}});
  at->runs.insert(at->runs.begin(), std::move(run));
  if (at->runs.size() > most_runs) at->runs.resize(most_runs);
  std::rotate(entries_.begin(), at, at + 1);
  if (entries_.size() > most_entries) entries_.resize(most_entries);
}

std::size_t profile_book::remove(const std::function<bool(const profile_entry&)>& goes) {
  return std::erase_if(entries_, goes) +
         std::erase_if(unread_, [&](const unread_entry& one) { return goes({one.key, {}}); });
}

std::string profile_book::text() const {
  ordered_json entries = ordered_json::array();
  for (const profile_entry& one : entries_) entries.push_back(to_json(one));
  for (const unread_entry& one : unread_) entries.push_back(ordered_json::parse(one.text));
  const ordered_json all{{"schema", schema}, {"entries", std::move(entries)}};
  return json_text(all, 1) + "\n";
}

std::variant<profile_book, std::string> profile_book::parse(std::string_view text) {
  profile_book book;
  if (text.empty()) return book;
  try {
    const ordered_json all = ordered_json::parse(text);
    if (!all.is_object() || !all.contains("schema") || all.at("schema") != schema)
      return fmt::format("is no profile of this version ({})", schema);
    const ordered_json& entries = all.at("entries");
    if (!entries.is_array()) return "is damaged: its entries are no list";
    for (std::size_t n = 0; n < entries.size(); ++n) book.read(entries[n], fmt::format("entries[{}]", n));
  } catch (const json::exception& problem) {
    return fmt::format("is damaged: {}", short_form(problem.what()));
  }
  return book;
}

template <class Json>
void profile_book::read(const Json& entry, const std::string& place) {
  std::string why;
  try {
    entries_.push_back(to_entry(entry, place));
    return;
  } catch (const json::exception& problem) {
    why = fmt::format("{}: {}", place, short_form(problem.what()));
  } catch (const std::runtime_error& problem) {
    why = problem.what();
  }
  unread_.push_back({.key = key_in(entry), .why = std::move(why), .text = json_text(entry)});
}

std::string profile_book::damage() const {
  if (unread_.empty()) return "";
  return fmt::format(
      "{} of its {} entries cannot be read, and {} as {} {} ({}); `yoke profile clear` removes what its "
      "words name",
      unread_.size(), unread_.size() + entries_.size(), unread_.size() == 1 ? "stays" : "stay",
      unread_.size() == 1 ? "it" : "they", unread_.size() == 1 ? "is" : "are", unread_.front().why);
}

}  // namespace yoke::detail
