#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace yoke {

namespace {

constexpr std::array<setting_info, 9> known{{
    {"YOKE_CUS", "NxM | NxM+G | +G, with N, M and G at least 1 (7x2+2, 16x1, +1)",
     "the configuration: N CPU compute units of M CPUs each, G GPU compute units"},
    {"YOKE_SCHEDULE", "", "the schedule of loops that do not name one"},
    {"YOKE_DEVICES", "", "the devices of the GPU compute units, in order"},
    {"YOKE_TRACE", "the path of a file", "where the trace of a run is written, for Perfetto"},
    {"YOKE_PROFILE", "none | the path of a file",
     "where what was learnt of the machine is kept for the next run; by default in the user's cache folder"},
    {"YOKE_SMT", "0 | 1", "1 uses all hardware threads of a core, 0 the first one only"},
    {"YOKE_CHECK", "0 | 1",
     "1 checks that a schedule gives each task exactly once in every pass, and who touches on the host what "
     "is placed "
     "elsewhere"},
    {"YOKE_MPI_DEVICES", "host | ask | direct",
     "messages between ranks leave from host memory (host), from that of devices where the MPI library says "
     "that it takes it (ask), or though it does not say so (direct)"},
    {"YOKE_DISPLAY_ENV", "0 | 1", "1 prints all settings and where each came from"},
}};

template <class Settings>
auto slots_of(Settings& all) {
  return std::array{&all.cus, &all.schedule, &all.devices,     &all.trace,      &all.profile,
                    &all.smt, &all.check,    &all.mpi_devices, &all.display_env};
}

const setting_info* find_in(std::span<const setting_info> list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &setting_info::name);
  return found == list.end() ? nullptr : &*found;
}

[[noreturn]] void unknown_variable(const sourced& variable, std::span<const setting_info> more) {
  std::vector<std::string_view> names;
  for (const setting_info& info : known) names.push_back(info.name);
  for (const setting_info& info : more) names.push_back(info.name);
  constexpr std::size_t prefix = std::string_view{"YOKE_"}.size();
  std::vector<std::string_view> ends;  // all begin alike, which makes none near
  for (const std::string_view name : names) ends.push_back(name.substr(prefix));
  const std::string_view near = detail::closest(std::string_view{variable.origin}.substr(prefix), ends);
  throw config_error{fmt::format("{}={}: no such variable{}; the variables are {}",
                                 detail::printable(variable.origin), detail::printable(variable.value),
                                 near.empty() ? "" : fmt::format("; did you mean YOKE_{}?", near),
                                 fmt::join(names, " "))};
}

void check_name(const sourced& variable, std::span<const setting_info> more) {
  const setting_info* info = find_in(known, variable.origin);
  if (info == nullptr) info = find_in(more, variable.origin);
  if (info == nullptr) unknown_variable(variable, more);
  if (variable.value == "help" && !info->accepted.empty()) answer_help(*info);
}

void put(settings& all, sourced variable) {
  const setting_info* info = find_in(known, variable.origin);
  if (info == nullptr) return all.others.push_back(std::move(variable));
  *slots_of(all)[static_cast<std::size_t>(info - known.data())] = std::move(variable);
}

/// YOKE_CUS, OMP_NUM_THREADS.
bool is_variable(std::string_view origin) {
  return !origin.empty() && origin.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string_view::npos;
}

}  // namespace

std::string sourced::quoted() const {
  const std::string shown = detail::printable(value);
  if (is_variable(origin)) return origin + "=" + shown;
  if (origin.starts_with("-")) return origin + " " + shown;
  if (origin.starts_with("runtime(")) return detail::printable(origin);
  return fmt::format("{} ({})", shown, detail::printable(origin));
}

std::span<const setting_info> base_settings() { return known; }

void answer_help(const setting_info& info) {
  throw config_error{fmt::format("{}: {}; accepted: {}", info.name, info.meaning, info.accepted)};
}

settings settings::from_environment() {
  settings all;
  for (auto& [name, value] : detail::environment_with("YOKE_")) put(all, {std::move(value), name});
  return all;
}

void settings::check_names(std::span<const setting_info> more) const {
  for (const auto* slot : slots_of(*this))
    if (slot->has_value()) check_name(**slot, more);
  for (const sourced& other : others) check_name(other, more);
}

std::optional<sourced> settings::find(std::string_view name) const {
  if (const setting_info* info = find_in(known, name))
    return *slots_of(*this)[static_cast<std::size_t>(info - known.data())];
  const auto found = std::ranges::find(others, name, &sourced::origin);
  return found == others.end() ? std::nullopt : std::optional{*found};
}

bool parse_flag(const sourced& text) {
  detail::text_parser parser{text, "0 | 1"};
  const int value = parser.number("0 or 1", 0, 1);
  parser.expect_end();
  return value == 1;
}

namespace detail {

namespace {

std::vector<std::pair<std::string, std::string>> entries_with(std::string_view prefix) {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const std::size_t equals = text.find('=');
    if (text.starts_with(prefix) && equals != std::string_view::npos)
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

/// Where the process has rights that its caller has not (set-uid), the caller's variables steer nothing of
/// Yoke's: a plug-in, a trace or a profile would have those rights. They are taken away, so that what Yoke
/// sets itself counts.
void leave_callers_variables() {
  static const bool done = [] {
    if (getauxval(AT_SECURE) == 0) return true;
    for (const char* prefix : {"YOKE_", "_YOKE_"})
      for (const auto& [name, value] : entries_with(prefix)) unsetenv(name.c_str());
    return true;
  }();
  static_cast<void>(done);
}

/// Says where files of Yoke's go. What other libraries read is seen as they see it.
bool names_folder(std::string_view name) {
  return name == "HOME" || name == "TMPDIR" || name.starts_with("XDG_");
}

}  // namespace

std::optional<std::string> get_environment(const char* name) {
  leave_callers_variables();
  const char* value = names_folder(name) ? secure_getenv(name) : std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

void set_environment(const char* name, const std::string& value) {
  leave_callers_variables();
  setenv(name, value.c_str(), 1);
}

void unset_environment(const char* name) { unsetenv(name); }

std::vector<std::pair<std::string, std::string>> environment_with(std::string_view prefix) {
  leave_callers_variables();
  std::vector<std::pair<std::string, std::string>> found = entries_with(prefix);
  std::ranges::sort(found);
  return found;
}

}  // namespace detail

}  // namespace yoke
