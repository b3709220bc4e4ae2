#include "schedule_plugins.hpp"

#include "plugin_name.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/runtime.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/text.hpp>

namespace yoke {

namespace detail {

namespace {

bool is_known(std::string_view name) {
  return std::ranges::any_of(scheduling::all(), [&](const auto& info) { return info.name == name; });
}

[[noreturn]] void refuse(const sourced& spec, const std::string& why) {
  throw config_error{fmt::format("{}: {}", spec.quoted(), why)};
}

void* open(const sourced& spec, const std::string& file) {
  if (file.empty()) refuse(spec, "no file before the colon; write ./FILE.so:NAME");
  if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  const std::string why = dlerror();
  const std::string shown = printable(file);
  std::string hint;
  if (file.find('/') == std::string::npos)
    hint = "; without a / only the library path is searched: write ./" + shown;
  if (spec.value.find(',') != std::string::npos && !file.ends_with(".so"))
    hint += "; a comma that belongs to the path is written \\,";
  refuse(spec, fmt::format("{} cannot be loaded: {}{}", shown, printable_lines(why), hint));
}

const schedule_plugin& plugin_of(const sourced& spec, const std::string& file, void* handle) {
  const auto entry = reinterpret_cast<const schedule_plugin* (*)()>(dlsym(handle, plugin_entry));
  if (entry == nullptr)
    refuse(spec,
           fmt::format("{} has no schedules: it exports no {}; write YOKE_SCHEDULE_PLUGIN(name, factory) "
                       "in it, of <yoke/schedule_plugin.hpp>",
                       printable(file), plugin_entry));
  const schedule_plugin& found = *entry();
  if (found.interface == schedule_interface && std::strcmp(found.library, standard_library) == 0)
    return found;
  refuse(spec,
         fmt::format("{} was built against version {} of the interface of schedules and {}; this program has "
                     "version {} and {}: build it again with the headers of this program's Yoke",
                     printable(file), found.interface, found.library, schedule_interface, standard_library));
}

/// In the order in which they stand in the file.
std::vector<const plugin_schedule*> offered_by(const schedule_plugin& plugin) {
  std::vector<const plugin_schedule*> all;
  for (const plugin_schedule* each = plugin.first; each != nullptr; each = each->next) all.push_back(each);
  std::ranges::reverse(all);
  return all;
}

[[noreturn]] void refuse_name(const sourced& spec, const plugin_name& asked,
                              const std::vector<const plugin_schedule*>& offered) {
  std::vector<std::string_view> names;
  for (const plugin_schedule* each : offered) names.push_back(each->info.name);
  const std::string_view near = closest(asked.schedule, names);
  refuse(spec,
         fmt::format("{} of {}; one of {}, as {}:{}{}",
                     asked.schedule.empty() ? "names no schedule" : "no such schedule", printable(asked.file),
                     fmt::join(names, ", "), printable(asked.prefix), names.empty() ? "NAME" : names.front(),
                     near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

/// Under the names by which it is asked for.
void register_all(const plugin_name& asked, const std::vector<const plugin_schedule*>& offered) {
  for (const plugin_schedule* each : offered) {
    const std::string name = fmt::format("{}:{}", asked.prefix, each->info.name);
    if (!is_known(name))
      scheduling::register_schedule({.name = name, .options = each->info.options, .rule = each->info.rule},
                                    each->make);
  }
}

}  // namespace

void load_named_schedule(const sourced& spec) {
  static std::mutex one_at_a_time;
  const std::lock_guard turn{one_at_a_time};
  const std::string_view name = schedule_name_in(spec.value);
  const std::optional<plugin_name> asked = plugin_named_in(spec.value);
  if (!asked || is_known(name)) return;
  // Never closed: schedules, and what they have registered, may live as long as the process.
  const std::vector<const plugin_schedule*> offered =
      offered_by(plugin_of(spec, asked->file, open(spec, asked->file)));
  register_all(*asked, offered);
  if (!is_known(name)) refuse_name(spec, *asked, offered);
}

}  // namespace detail

void check_schedule(const sourced& spec) {
  detail::load_named_schedule(spec);
  scheduling::check(spec.value, spec.origin);
}

}  // namespace yoke
