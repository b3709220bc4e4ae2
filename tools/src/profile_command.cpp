#include "commands.hpp"
#include "json_fields.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/kept_profiles.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

using nlohmann::ordered_json;
using yoke::profile_entry;
using yoke::detail::printable;
using yoke::detail::printable_lines;

constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;

double age_of(const yoke::kept_run& run) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::max(0.0, std::chrono::duration<double>(now).count() - run.when);
}

std::string age_text(double seconds) {
  if (seconds < hour) return fmt::format("{:.0f} minutes ago", seconds / minute);
  return seconds < day ? fmt::format("{:.1f} hours ago", seconds / hour)
                       : fmt::format("{:.1f} days ago", seconds / day);
}

bool has_word(const yoke::profile_key& key, const std::string& word) {
  const auto fields = {&key.machine, &key.build, &key.program, &key.work, &key.schedule, &key.cus};
  return std::ranges::any_of(
      fields, [&](const std::string* field) { return field->find(word) != std::string::npos; });
}

bool is_meant(const profile_entry& entry, std::span<const std::string> words) {
  return std::ranges::all_of(words, [&](const std::string& word) { return has_word(entry.key, word); });
}

std::string file_of(const profile_options& options) {
  std::optional<yoke::sourced> place = yoke::settings::from_environment().profile;
  if (!options.file.empty()) place = yoke::sourced{options.file, "--file"};
  if (!options.file.empty() && options.file != "none" && !std::filesystem::exists(options.file))
    throw yoke::config_error{fmt::format("--file {}: no such file", options.file)};
  if (const std::optional<std::string> file = yoke::profile_file(place)) return *file;
  throw yoke::config_error{fmt::format(
      "{}: no profile is kept; --file names one",
      place ? place->quoted()
            : std::string{"neither XDG_CACHE_HOME is an absolute path nor HOME a folder that is there"})};
}

ordered_json as_json(const yoke::unit_profile& unit) {
  if (!unit.is_known()) return nullptr;
  return {{"launch_s", unit.usual.launch},
          {"per_weight_s", unit.usual.per_weight},
          {"careful_launch_s", unit.careful.launch},
          {"careful_per_weight_s", unit.careful.per_weight}};
}

ordered_json as_json(const yoke::kept_run& run) {
  ordered_json units = ordered_json::array(), maps = ordered_json::array();
  for (const yoke::unit_profile& unit : run.learnt.units) units.push_back(as_json(unit));
  for (const yoke::map_profile& map : run.learnt.maps)
    maps.push_back({{"use", map.use}, {"number", map.number}, {"pass_s", map.pass}, {"error", map.error}});
  return {{"when", run.when}, {"age_days", age_of(run) / day}, {"units", units}, {"maps", maps}};
}

ordered_json as_json(const profile_entry& entry) {
  ordered_json runs = ordered_json::array();
  for (const yoke::kept_run& run : entry.runs) runs.push_back(as_json(run));
  const yoke::profile_key& key = entry.key;
  return {{"program", key.program},
          {"work", key.work},
          {"schedule", key.schedule},
          {"cus", key.cus},
          {"machine", key.machine},
          {"build", key.build},
          {"runs", runs}};
}

std::string speeds_of(const yoke::kept_run& run) {
  std::string text;
  for (std::size_t u = 0; u < run.learnt.units.size(); ++u) {
    const yoke::unit_profile& unit = run.learnt.units[u];
    text += unit.is_known() ? fmt::format("    CU {}: {:.3g} s a launch, {:.3g} s a weight of 1\n", u,
                                          unit.usual.launch, unit.usual.per_weight)
                            : fmt::format("    CU {}: not heard of\n", u);
  }
  for (const yoke::map_profile& map : run.learnt.maps)
    text += fmt::format("    {} {}: {:.4g} s a pass\n", map.use, map.number, map.pass);
  return text;
}

std::string text_of(const profile_entry& entry) {
  const yoke::profile_key& key = entry.key;
  std::string text = fmt::format("{}: {}; {} on {}\n  machine: {}\n  build: {}\n", key.program, key.work,
                                 key.schedule, key.cus, key.machine, key.build);
  if (entry.runs.empty()) return text;
  const yoke::kept_run& newest = entry.runs.front();
  return text + fmt::format("  {} {}, the newest {}:\n{}", entry.runs.size(),
                            entry.runs.size() == 1 ? "run" : "runs", age_text(age_of(newest)),
                            speeds_of(newest));
}

int show(const std::string& file, const profile_options& options) {
  std::vector<profile_entry> all = yoke::kept_profiles(file);
  const std::size_t kept = all.size();
  const std::string damage = yoke::damage_of_profiles(file);
  std::erase_if(all, [&](const profile_entry& entry) { return !is_meant(entry, options.words); });
  if (options.json) {
    ordered_json entries = ordered_json::array();
    for (const profile_entry& entry : all) entries.push_back(as_json(entry));
    ordered_json told{{"file", file}, {"entries", entries}};
    if (!damage.empty()) told["damage"] = damage;
    print_json(told);
    return fine;
  }
  fmt::print("{}: {} of {} entries\n", printable(file), all.size(), kept);
  if (!damage.empty()) fmt::print("{}\n", printable(damage));
  for (const profile_entry& entry : all) fmt::print("\n{}", printable_lines(text_of(entry)));
  return fine;
}

int clear(const std::string& file, const profile_options& options) {
  const std::size_t removed =
      yoke::forget_profiles(file, [&](const profile_entry& entry) { return is_meant(entry, options.words); });
  if (options.json)
    print_json({{"file", file}, {"removed", removed}});
  else
    fmt::print("{}: {} entries removed\n", printable(file), removed);
  return fine;
}

}  // namespace

int run_profile(const profile_options& options) {
  const std::string file = file_of(options);
  return options.action == "show" ? show(file, options) : clear(file, options);
}

}  // namespace tools
