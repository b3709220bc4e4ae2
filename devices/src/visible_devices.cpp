#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <ranges>
#include <system_error>

#include <yoke/settings.hpp>
#include <yoke/visible_devices.hpp>

namespace yoke {

namespace detail {

std::vector<std::string_view> items_of_list(std::string_view list) {
  std::vector<std::string_view> items;
  if (list.empty()) return items;
  for (const auto item : std::views::split(list, ',')) items.emplace_back(item.begin(), item.end());
  return items;
}

std::optional<std::size_t> position_of(std::string_view item) {
  constexpr std::size_t most_digits = 6;
  if (item.empty() || item.size() > most_digits) return std::nullopt;
  if (item.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return std::stoul(std::string{item});
}

int count_numbered_files(std::string_view stem) {
  const std::filesystem::path first{stem};
  const std::string name = first.filename().string();
  std::error_code ignored;
  int n = 0;
  for (std::filesystem::directory_iterator at{first.parent_path(), ignored}, end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string other = at->path().filename().string();
    if (other.starts_with(name) && position_of(std::string_view{other}.substr(name.size()))) ++n;
  }
  return n;
}

}  // namespace detail

namespace {

/// Those of `from` that the list names, in its order.
std::vector<std::size_t> chosen(std::string_view list, const std::vector<std::size_t>& from) {
  std::vector<std::optional<std::size_t>> positions;
  for (const std::string_view item : detail::items_of_list(list))
    positions.push_back(detail::position_of(item));
  if (!std::ranges::all_of(positions, [](const auto& each) { return each.has_value(); })) return {};
  std::vector<std::size_t> all;
  for (const std::optional<std::size_t> each : positions) {
    if (*each >= from.size()) break;
    all.push_back(from[*each]);
  }
  return all;
}

}  // namespace

std::vector<std::size_t> visible_positions(const driver_numbering& of, std::size_t n) {
  std::vector<std::size_t> seen(n);
  std::iota(seen.begin(), seen.end(), std::size_t{0});
  for (const char* const list : of.lists)
    if (const std::optional<std::string> text = detail::get_environment(list)) seen = chosen(*text, seen);
  return seen;
}

namespace {

std::mutex& lock_of_lists() {
  static std::mutex one;
  return one;
}

/// Where there is no list, a driver shows all.
std::string first_of(const std::optional<std::string>& list, std::size_t n) {
  std::vector<std::string> items;
  for (std::size_t i = 0; !list && i < n; ++i) items.push_back(std::to_string(i));
  for (const std::string_view item : detail::items_of_list(list ? *list : std::string_view{}))
    items.emplace_back(item);
  items.resize(std::min(items.size(), n));
  return fmt::format("{}", fmt::join(items, ","));
}

}  // namespace

first_devices::first_devices(const driver_numbering& of, int n) : alone_{lock_of_lists()} {
  if (of.lists.empty()) return;
  list_ = of.lists.back();
  before_ = detail::get_environment(list_);
  detail::set_environment(list_, first_of(before_, static_cast<std::size_t>(n)));
}

first_devices::~first_devices() {
  if (list_ == nullptr) return;
  if (before_) {
    detail::set_environment(list_, *before_);
  } else {
    detail::unset_environment(list_);
  }
}

std::string name_of_visible(const driver_numbering& of, int ordinal) {
  auto at = static_cast<std::size_t>(ordinal);
  for (const char* const list : std::views::reverse(of.lists)) {
    const std::optional<std::string> text = detail::get_environment(list);
    if (!text) continue;
    const std::vector<std::string_view> items = detail::items_of_list(*text);
    if (at >= items.size()) break;
    const std::optional<std::size_t> position = detail::position_of(items[at]);
    if (!position) return std::string{items[at]};
    at = *position;
  }
  return std::to_string(at);
}

}  // namespace yoke
