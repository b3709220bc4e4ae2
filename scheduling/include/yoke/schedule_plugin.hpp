// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Schedules in a shared object, for any program that was built without them: YOKE_SCHEDULE=./mine.so:name.
/// Included by the files of the shared object only. It links nothing of Yoke: what it uses is in the headers
/// of the rooms base and scheduling.

#include <utility>

#include <yoke/schedule_factory.hpp>

namespace yoke::detail {

/// Of this shared object alone, whatever else the process has loaded.
[[gnu::visibility("hidden")]] inline const plugin_schedule* newest_plugin_schedule = nullptr;

/// One schedule, linked to those before it when the shared object is loaded.
struct [[gnu::visibility("hidden")]] offered_schedule : plugin_schedule {
  offered_schedule(scheduling::schedule_info what, scheduling::schedule_factory how)
      : plugin_schedule{what, std::move(how), std::exchange(newest_plugin_schedule, this)} {}
  offered_schedule(std::string_view name, scheduling::schedule_factory how)
      : offered_schedule{scheduling::schedule_info{.name = name}, std::move(how)} {}
};

}  // namespace yoke::detail

extern "C" [[gnu::used, gnu::visibility("default")]] inline const yoke::detail::schedule_plugin*
yoke_schedule_plugin() {
  static const yoke::detail::schedule_plugin offered{
      yoke::detail::schedule_interface, yoke::detail::standard_library, yoke::detail::newest_plugin_schedule};
  return &offered;
}

#define YOKE_PLUGIN_JOIN_(a, b) a##b
#define YOKE_PLUGIN_JOIN(a, b) YOKE_PLUGIN_JOIN_(a, b)

/// YOKE_SCHEDULE_PLUGIN(name or schedule_info, schedule_factory) at namespace scope, once for each schedule:
///
///   YOKE_SCHEDULE_PLUGIN("mine", [](const auto&, const yoke::workload& work, std::span<const yoke::unit>
///   units) {
///     return std::make_unique<my_schedule>(work, units);
///   });
#define YOKE_SCHEDULE_PLUGIN(...) \
  static const ::yoke::detail::offered_schedule YOKE_PLUGIN_JOIN(yoke_offered_, __COUNTER__) { __VA_ARGS__ }
