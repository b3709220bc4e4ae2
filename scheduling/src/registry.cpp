#include "registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/scheduling.hpp>

namespace yoke::scheduling {

namespace {

struct entry {
  std::string name, options, rule;
  schedule_factory make;
};

struct registry {
  std::mutex lock;
  std::list<entry> entries;  ///< they stay where they are: others keep views of their texts
};

registry& the_registry() {
  static registry one;
  return one;
}

void check_entry(const schedule_info& info, const schedule_factory& factory) {
  const auto refuse = [&](const char* why) {
    throw usage_error{fmt::format("register_schedule(\"{}\"): {}", info.name, why)};
  };
  if (info.name.empty()) refuse("the name is empty");
  if (info.name == "help") refuse("this word lists the schedules; give another name");
  if (detail::name_before_options(info.name) != info.name)
    refuse("a name has no comma, but as \"\\,\": options follow it");
  if (!factory) refuse("there is no factory to make it");
}

}  // namespace

void register_schedule(const schedule_info& info, schedule_factory factory) {
  check_entry(info, factory);
  const auto is_taken = [&](const schedule_info& other) { return other.name == info.name; };
  static std::mutex one_at_a_time;
  const std::lock_guard turn{one_at_a_time};
  if (std::ranges::any_of(all(), is_taken))
    throw usage_error{
        fmt::format("register_schedule(\"{}\"): there is such a schedule; give another name", info.name)};
  registry& known = the_registry();
  const std::lock_guard guard{known.lock};
  known.entries.push_back(
      {std::string{info.name}, std::string{info.options}, std::string{info.rule}, std::move(factory)});
}

std::vector<registered_schedule> registered() {
  registry& known = the_registry();
  const std::lock_guard guard{known.lock};
  std::vector<registered_schedule> result;
  for (const entry& each : known.entries) result.push_back({{each.name, each.options, each.rule}, each.make});
  return result;
}

}  // namespace yoke::scheduling
