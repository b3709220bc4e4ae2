#include "kinds.hpp"

#include <array>
#include <fmt/format.h>
#include <string>
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
  use(cost_kind)
// clang-format on

#define YOKE_DECLARE(name) extern const schedule_kind name;
#define YOKE_ADDRESS(name) &name,

YOKE_FOR_EACH_SCHEDULE(YOKE_DECLARE)

namespace {

constexpr std::array list{YOKE_FOR_EACH_SCHEDULE(YOKE_ADDRESS)};

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const schedule_kind* kind : list) result.push_back(kind->info.name);
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
  for (const schedule_kind* kind : list) {
    const schedule_info& info = kind->info;
    text +=
        fmt::format("\n  {}{}{}: {}", info.name, info.options.empty() ? "" : ", ", info.options, info.rule);
  }
  given.refuse(text);
}

const schedule_kind& find(const spec& given) {
  if (given.name() == "help") list_choices(given);
  for (const schedule_kind* kind : list)
    if (kind->info.name == given.name()) return *kind;
  refuse_name(given);
}

}  // namespace

std::span<const schedule_info> all() {
  static const std::vector<schedule_info> infos = [] {
    std::vector<schedule_info> result;
    for (const schedule_kind* kind : list) result.push_back(kind->info);
    return result;
  }();
  return infos;
}

std::unique_ptr<schedule> make(std::string_view text, const workload& work, std::span<const unit> units,
                               std::string_view origin) {
  const spec given{text, origin};
  const schedule_kind& kind = find(given);
  given.accept(kind.info.options);
  check_problem(work, units);
  return kind.make(given, work, units);
}

void check(std::string_view text, std::string_view origin) {
  const unit any{};
  (void)make(text, workload{}, {&any, 1}, origin);
}

}  // namespace yoke::scheduling
