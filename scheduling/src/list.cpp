#include "kinds.hpp"
#include "registry.hpp"

#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace yoke::scheduling {

// Every schedule by name: one line each, in the order of --help. Each is defined in a file of schedules/.
// clang-format off
#define YOKE_FOR_EACH_SCHEDULE(use) \
  use(auto_kind)                    \
  use(static_kind)                  \
  use(dynamic_kind)                 \
  use(guided_kind)                  \
  use(memorizing_kind)              \
  use(static_hybrid_kind)           \
  use(pool_kind)                    \
  use(cost_kind)                    \
  use(partition_kind)               \
  use(adaptive_kind)
// clang-format on

#define YOKE_DECLARE(name) extern const schedule_kind name;
#define YOKE_ADDRESS(name) &name,

YOKE_FOR_EACH_SCHEDULE(YOKE_DECLARE)

namespace {

constexpr std::array list{YOKE_FOR_EACH_SCHEDULE(YOKE_ADDRESS)};

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const schedule_info& info : all()) result.push_back(info.name);
  return result;
}

[[noreturn]] void refuse_name(const spec& given) {
  const std::vector<std::string_view> known = names();
  const std::string_view near = detail::closest(given.name(), known);
  given.refuse(fmt::format("no such schedule; one of {}{}", fmt::join(known, ", "),
                           near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

[[noreturn]] void list_choices(const spec& given) {
  std::string text = "the schedules are";
  for (const schedule_info& info : all())
    text += fmt::format("\n  {}{}{}{}{}", info.name, info.options.empty() ? "" : ", ", info.options,
                        info.rule.empty() ? "" : ": ", info.rule);
  given.refuse(text + "\nand those of shared objects, as ./FILE.so:NAME (schedule_plugin.hpp)");
}

/// The units, with the memory that the tasks may use.
std::vector<unit> within(std::span<const std::size_t> free_bytes, std::span<const unit> units) {
  std::vector<unit> limited{units.begin(), units.end()};
  for (unit& each : limited)
    if (const std::size_t space = static_cast<std::size_t>(each.space);
        space < free_bytes.size() && free_bytes[space] > 0)
      each.memory = free_bytes[space];
  return limited;
}

registered_schedule find(const spec& given) {
  if (given.name() == "help") list_choices(given);
  for (const schedule_kind* kind : list)
    if (kind->info.name == given.name()) return {kind->info, kind->make};
  for (registered_schedule& one : registered())
    if (one.info.name == given.name()) return std::move(one);
  refuse_name(given);
}

}  // namespace

std::vector<schedule_info> all() {
  std::vector<schedule_info> result;
  for (const schedule_kind* kind : list) result.push_back(kind->info);
  for (const registered_schedule& one : registered()) result.push_back(one.info);
  return result;
}

std::unique_ptr<schedule> make(std::string_view text, const workload& work, std::span<const unit> units,
                               std::string_view origin) {
  const spec given{text, origin};
  const registered_schedule found = find(given);
  given.accept(found.info.options);
  check_problem(work, units);
  std::unique_ptr<schedule> made = found.make(given, work, within(work.room, units));
  if (made == nullptr)
    throw usage_error{fmt::format("{}: its factory gave no schedule (a null pointer)", found.info.name)};
  return made;
}

void check(std::string_view text, std::string_view origin) {
  const unit any{};
  (void)make(text, workload{}, {&any, 1}, origin);
}

}  // namespace yoke::scheduling
