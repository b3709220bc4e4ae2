#include "options.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <yoke/emulated.hpp>
#include <yoke/error.hpp>
#include <yoke/number_range.hpp>

namespace yoke {

namespace {

/// One option=value of the text, with where it stands.
struct item {
  std::string_view name;
  std::string_view value;
  std::size_t name_at;
  std::size_t value_at;
};

[[noreturn]] void refuse(const sourced& text, std::size_t at, const std::string& what) {
  throw config_error{fmt::format("{}: position {}: {}; accepted: {}", text.quoted(), at + 1, what,
                                 emulated::accepted_options)};
}

item split(const sourced& text, std::size_t first, std::size_t last) {
  const std::string_view part = std::string_view{text.value}.substr(first, last - first);
  const std::size_t equals = part.find('=');
  if (part.empty()) refuse(text, first, "an option is missing");
  if (equals == std::string_view::npos) refuse(text, first, fmt::format("'{}' has no value", part));
  return {part.substr(0, equals), part.substr(equals + 1), first, first + equals + 1};
}

std::int64_t parse_count(const sourced& text, const item& it, std::int64_t least) {
  std::int64_t value = 0;
  const char* end = it.value.data() + it.value.size();
  const auto [stop, code] = std::from_chars(it.value.data(), end, value);
  if (code != std::errc{} || stop != end || value < least) {
    refuse(text, it.value_at, fmt::format("'{}' is not a whole number of at least {}", it.value, least));
  }
  return value;
}

/// Of devices or their processors.
int parse_number(const sourced& text, const item& it, std::int64_t least) {
  constexpr std::int64_t most = 65535;
  const std::int64_t n = parse_count(text, it, least);
  if (n > most) refuse(text, it.value_at, fmt::format("'{}' is more than {}", it.value, most));
  return static_cast<int>(n);
}

double parse_slowdown(const sourced& text, const item& it) {
  // Beyond this not even a kernel of a microsecond ends within a day.
  constexpr detail::number_range slower{.least = 1, .most = 1e9};
  const std::optional<double> value = slower.read(it.value);
  if (!value) refuse(text, it.value_at, fmt::format("'{}' is not {}", it.value, slower.accepted()));
  return *value;
}

std::size_t parse_bytes(const sourced& text, const item& it) {
  std::size_t value = 0;
  const char* end = it.value.data() + it.value.size();
  const auto [stop, code] = std::from_chars(it.value.data(), end, value);
  const std::string_view unit{stop, static_cast<std::size_t>(end - stop)};
  const int shift = unit == "GiB" ? 30 : unit == "MiB" ? 20 : unit == "KiB" ? 10 : 0;
  const bool fits = value <= (std::numeric_limits<std::size_t>::max() >> (shift + 1));
  if (code != std::errc{} || (shift == 0 && !unit.empty()) || value == 0 || !fits) {
    refuse(text, it.value_at, fmt::format("'{}' is not a number of bytes", it.value));
  }
  return value << shift;
}

void apply(const sourced& text, const item& it, emulated_options& options) {
  if (it.name == "memory") {
    options.memory = parse_bytes(text, it);
  } else if (it.name == "shared-memory") {
    options.shared_memory = parse_bytes(text, it);
  } else if (it.name == "processors") {
    options.processors = parse_number(text, it, 1);
  } else if (it.name == "slowdown") {
    options.slowdown = parse_slowdown(text, it);
  } else if (it.name == "peers") {
    options.peers = parse_number(text, it, 0);
  } else if (it.name == "fail-alloc") {
    options.fail_alloc = parse_count(text, it, 1);
  } else if (it.name == "fail-copy") {
    options.fail_copy = parse_count(text, it, 1);
  } else if (it.name == "fail-launch") {
    options.fail_launch = parse_count(text, it, 1);
  } else if (it.name == "fail-call") {
    options.fail_call = parse_count(text, it, 1);
  } else if (it.name == "lost-after") {
    options.lost_after = parse_count(text, it, 0);
  } else {
    refuse(text, it.name_at, fmt::format("there is no option '{}'", it.name));
  }
}

}  // namespace

emulated_options parse_emulated_options(const sourced& text) {
  emulated_options options;
  std::set<std::string_view> seen;
  for (std::size_t first = 0;;) {
    const std::size_t last = std::min(text.value.find(',', first), text.value.size());
    const item it = split(text, first, last);
    if (!seen.insert(it.name).second) refuse(text, first, fmt::format("'{}' is given twice", it.name));
    apply(text, it, options);
    if (last == text.value.size()) return options;
    first = last + 1;
  }
}

}  // namespace yoke
