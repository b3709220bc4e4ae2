#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include <yoke/places_text.hpp>

namespace yoke {

namespace {

/// first, first + stride, … of `count`.
struct run {
  int first = 0;
  int count = 1;
  int stride = 1;

  std::string text() const {
    if (count == 1) return std::to_string(first);
    if (stride == 1) return fmt::format("{}:{}", first, count);
    return fmt::format("{}:{}:{}", first, count, stride);
  }
};

/// The longest run from the begin of `cpus`, which are ascending; of two CPUs only where they are neighbours.
run leading_run(const int* cpus, std::size_t left) {
  run longest{.first = cpus[0]};
  if (left == 1) return longest;
  const int stride = cpus[1] - cpus[0];
  int count = 2;
  while (static_cast<std::size_t>(count) < left && cpus[count] - cpus[count - 1] == stride) ++count;
  if (count > 2 || stride == 1) longest = {cpus[0], count, stride};
  return longest;
}

std::string place_text(place cpus) {
  std::ranges::sort(cpus);
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    const run next = leading_run(&cpus[i], cpus.size() - i);
    text += (i == 0 ? "" : ",") + next.text();
    i += static_cast<std::size_t>(next.count);
  }
  return "{" + text + "}";
}

/// By how much all CPUs of `to` are above those of `from`; nothing where by different numbers.
std::optional<int> shift(place from, place to) {
  std::ranges::sort(from);
  std::ranges::sort(to);
  if (from.empty() || from.size() != to.size()) return std::nullopt;
  const int by = to[0] - from[0];
  for (std::size_t i = 0; i < from.size(); ++i)
    if (to[i] - from[i] != by) return std::nullopt;
  return by;
}

/// How many places from the first on follow one another by the same shift.
std::size_t leading_places(const place* places, std::size_t left) {
  if (left == 1) return 1;
  const std::optional<int> by = shift(places[0], places[1]);
  std::size_t count = 1;
  while (by && count < left && shift(places[count - 1], places[count]) == by) ++count;
  return count;
}

}  // namespace

std::string short_places_text(const std::vector<place>& places) {
  std::string text;
  for (std::size_t i = 0; i < places.size();) {
    const std::size_t count = leading_places(&places[i], places.size() - i);
    text += (i == 0 ? "" : ",") + place_text(places[i]);
    if (count > 1) {
      const int by = *shift(places[i], places[i + 1]);
      text += by == 1 ? fmt::format(":{}", count) : fmt::format(":{}:{}", count, by);
    }
    i += count;
  }
  return text;
}

std::string cpu_list_text(std::vector<int> cpus) {
  std::ranges::sort(cpus);
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    text += fmt::format("{}{}", i == 0 ? "" : ",", cpus[i]);
    if (end - i > 1) text += fmt::format("{}{}", end - i == 2 ? "," : "-", cpus[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace yoke
