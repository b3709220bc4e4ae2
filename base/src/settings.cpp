#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/settings.hpp>

namespace yoke {

namespace {

constexpr std::array<setting_info, 9> known{{
    {"YOKE_CUS", "NxM | NxM+G | +G, with N, M and G at least 1 (7x2+2, 16x1, +1)",
     "the configuration: N CPU compute units of M CPUs each, G GPU compute units"},
    {"YOKE_SCHEDULE", "a schedule's name{,option=value}, as in memorizing,chunk=2",
     "the schedule of loops that do not name one"},
    {"YOKE_DEVICES",
     "auto | none | item{;item}, item = cuda:i{,i} | hip:i{,i} | emulated:count, "
     "i = index[/parts[:part] | @sms]",
     "the devices of the GPU compute units, in order"},
    {"YOKE_EMULATED",
     "option=value{,option=value}; options memory=BYTES[KiB|MiB|GiB], slowdown=X, "
     "shared-memory=BYTES[KiB|MiB|GiB], fail-alloc=n, fail-copy=n, fail-launch=n, fail-call=n, "
     "lost-after=n",
     "properties of emulated devices"},
    {"YOKE_PROFILE", "nothing: this version has no profiles", "reserved for the profile of a run"},
    {"YOKE_TRACE", "the path of a file", "where the trace of a run is written, for Perfetto"},
    {"YOKE_SMT", "0 | 1", "1 uses all hardware threads of a core, 0 the first one only"},
    {"YOKE_CHECK", "0 | 1", "1 checks that a schedule gives each task exactly once in every pass"},
    {"YOKE_DISPLAY_ENV", "0 | 1", "1 prints all settings and where each came from"},
}};

const setting_info* find_setting(std::string_view name) {
  const auto* found = std::ranges::find(known, name, &setting_info::name);
  return found == known.end() ? nullptr : found;
}

[[noreturn]] void unknown_variable(std::string_view name, std::string_view value) {
  std::vector<std::string_view> names;
  for (const setting_info& info : known) names.push_back(info.name);
  const std::string_view near = detail::closest(name, names);
  throw config_error{fmt::format("{}={}: no such variable{}; the variables are {}", name, value,
                                 near.empty() ? "" : fmt::format("; did you mean {}?", near),
                                 fmt::join(names, " "))};
}

std::optional<sourced>* slot_of(settings& all, std::string_view name) {
  const std::array<std::optional<sourced>*, known.size()> slots{
      &all.cus,   &all.schedule, &all.devices, &all.emulated,   &all.profile,
      &all.trace, &all.smt,      &all.check,   &all.display_env};
  const setting_info* info = find_setting(name);
  return info == nullptr ? nullptr : slots[static_cast<std::size_t>(info - known.data())];
}

/// YOKE_CUS, OMP_NUM_THREADS.
bool is_variable(std::string_view origin) {
  return !origin.empty() && origin.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string_view::npos;
}

}  // namespace

std::string sourced::quoted() const {
  if (is_variable(origin)) return origin + "=" + value;
  if (origin.starts_with("-")) return origin + " " + value;
  if (origin.starts_with("runtime(")) return origin;
  return fmt::format("{} ({})", value, origin);
}

std::span<const setting_info> all_settings() { return known; }

settings settings::from_environment() {
  settings all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (!name.starts_with("YOKE_") || equals == std::string_view::npos) continue;
    const std::string value{text.substr(equals + 1)};
    std::optional<sourced>* slot = slot_of(all, name);
    if (slot == nullptr) unknown_variable(name, value);
    // The schedules are listed in their own room, which answers YOKE_SCHEDULE=help.
    if (value == "help" && name != "YOKE_SCHEDULE") {
      const setting_info& info = *find_setting(name);
      throw config_error{fmt::format("{}: {}; accepted: {}", name, info.meaning, info.accepted)};
    }
    *slot = sourced{value, std::string{name}};
  }
  return all;
}

bool parse_flag(const sourced& text) {
  detail::text_parser parser{text, "0 | 1"};
  const int value = parser.number("0 or 1", 0, 1);
  parser.expect_end();
  return value == 1;
}

namespace detail {

std::optional<std::string> get_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

void set_environment(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void unset_environment(const char* name) { unsetenv(name); }

std::vector<std::pair<std::string, std::string>> environment_with(std::string_view prefix) {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const std::size_t equals = text.find('=');
    if (text.starts_with(prefix) && equals != std::string_view::npos)
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace detail

}  // namespace yoke
