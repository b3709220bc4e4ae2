#include "spec.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/number_range.hpp>
#include <yoke/parse.hpp>
#include <yoke/settings.hpp>

namespace yoke::scheduling {

namespace {

/// Names of "chunk=k, gpu_chunk=k|chunk".
std::vector<std::string_view> names_of(std::string_view accepted) {
  std::vector<std::string_view> names;
  while (!accepted.empty()) {
    names.push_back(accepted.substr(0, accepted.find('=')));
    const std::size_t comma = accepted.find(", ");
    accepted.remove_prefix(comma == std::string_view::npos ? accepted.size() : comma + 2);
  }
  return names;
}

}  // namespace

spec::spec(std::string_view text, std::string_view origin)
    : text_{text}, origin_{origin}, name_{detail::name_before_options(text)} {
  std::size_t start = name_.size();
  while (start < text.size()) {
    ++start;  // the comma
    const std::size_t end = std::min(text.find(',', start), text.size());
    add_option(text.substr(start, end - start), start + 1);
    start = end;
  }
}

void spec::add_option(std::string_view item, std::size_t position) {
  const std::size_t equals = item.find('=');
  if (item.empty()) refuse(fmt::format("empty option at position {}; write name{{,option=value}}", position));
  if (equals == std::string_view::npos || equals == 0)
    refuse(fmt::format("\"{}\" at position {} is not option=value", item, position));
  const option given{item.substr(0, equals), item.substr(equals + 1), position};
  if (find(given.name) != nullptr)
    refuse(fmt::format("{} is given twice, again at position {}", given.name, position));
  options_.push_back(given);
}

void spec::accept(std::string_view accepted) const {
  const std::vector<std::string_view> names = names_of(accepted);
  for (const option& given : options_) {
    if (std::find(names.begin(), names.end(), given.name) != names.end()) continue;
    const std::string_view near = detail::closest(given.name, names);
    refuse(fmt::format("{} has no option \"{}\" (position {}); it accepts {}{}", name_, given.name,
                       given.position, accepted.empty() ? "no options" : accepted,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
}

const option* spec::find(std::string_view option_name) const {
  for (const option& given : options_)
    if (given.name == option_name) return &given;
  return nullptr;
}

bool spec::is(std::string_view option_name, std::string_view word) const {
  const option* given = find(option_name);
  return given != nullptr && given->value == word;
}

int spec::count(std::string_view option_name, int otherwise) const {
  const option* given = find(option_name);
  if (given == nullptr) return otherwise;
  int value = 0;
  const char* end = given->value.data() + given->value.size();
  const auto [stop, failure] = std::from_chars(given->value.data(), end, value);
  if (failure != std::errc{} || stop != end || value < 1)
    refuse_value(*given, fmt::format("a whole number from 1 to {}", std::numeric_limits<int>::max()));
  return value;
}

std::optional<double> spec::positive(std::string_view option_name) const {
  const option* given = find(option_name);
  if (given == nullptr) return std::nullopt;
  const std::optional<double> value = detail::amounts.read(given->value);
  if (!value) refuse_value(*given, fmt::format("{}, such as 12.5, or auto", detail::amounts.accepted()));
  return value;
}

void spec::refuse_value(const option& given, std::string_view wanted) const {
  refuse(fmt::format("{}=\"{}\" at position {} is not {}", given.name, given.value, given.position, wanted));
}

void spec::refuse(const std::string& message) const {
  const sourced given{std::string{text_}, std::string{origin_}};
  throw config_error{given.quoted() + ": " + message};
}

}  // namespace yoke::scheduling
