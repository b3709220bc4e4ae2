#include "json_fields.hpp"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/output_file.hpp>
#include <yoke/text.hpp>

namespace tools {

using yoke::detail::json_text;

json read_json(const std::string& path) {
  std::ifstream file{path};
  if (std::filesystem::is_directory(path)) throw yoke::config_error{fmt::format("{}: is a folder", path)};
  if (!file) throw yoke::config_error{fmt::format("{}: cannot be read", path)};
  try {
    return json::parse(file);
  } catch (const json::exception& problem) {  // of the text, or of a number that no double holds
    throw yoke::config_error{fmt::format("{}: no JSON: {}", path, problem.what())};
  }
}

void print_json(const json& what) { fmt::print("{}\n", json_text(what, 2)); }

void write_text(const std::string& path, const std::string& text) {
  yoke::detail::output_file file{path};
  if (const int problem = file.write(text); problem != 0)
    throw yoke::config_error{fmt::format("{}: cannot be written: {}", path, std::strerror(problem))};
}

json_fields::json_fields(const json& object, std::string place) : object_{object}, place_{std::move(place)} {
  if (object.is_object()) return;
  const std::string_view whole = std::string_view{place_}.substr(0, place_.find_last_not_of(".: ") + 1);
  throw yoke::config_error{fmt::format("{}: must be an object", whole)};
}

const json* json_fields::find(const std::string& name, bool is_needed) {
  asked_.insert(name);
  const auto at = object_.find(name);
  if (at != object_.end()) return &*at;
  if (is_needed) refuse(name, "is missing");
  return nullptr;
}

double json_fields::number(const std::string& name, const yoke::detail::number_range& range,
                           std::optional<double> otherwise) {
  const json* at = find(name, !otherwise);
  if (at == nullptr) return *otherwise;
  const double value = at->is_number() ? at->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!range.has(value))
    refuse(name, fmt::format("{} is not accepted; {}", json_text(*at), range.accepted()));
  return value;
}

std::size_t json_fields::bytes(const std::string& name) {
  return static_cast<std::size_t>(number(name, {.least = 0, .most = most_bytes}, 0));
}

int json_fields::whole(const std::string& name, int least, std::optional<int> otherwise) {
  const json* at = find(name, !otherwise);
  if (at == nullptr) return *otherwise;
  if (!at->is_number_integer() || *at < least || *at > std::numeric_limits<int>::max())
    refuse(name, fmt::format("{} is not accepted; a whole number of at least {}", json_text(*at), least));
  return at->get<int>();
}

std::string json_fields::text(const std::string& name, std::optional<std::string> otherwise) {
  const json* at = find(name, !otherwise);
  if (at == nullptr) return *otherwise;
  if (!at->is_string()) refuse(name, fmt::format("{} is not accepted; a text", json_text(*at)));
  return at->get<std::string>();
}

const json* json_fields::list(const std::string& name) {
  const json* at = find(name, false);
  if (at != nullptr && !at->is_array())
    refuse(name, fmt::format("{} is not accepted; a list", json_text(*at)));
  return at;
}

std::optional<json_fields> json_fields::object(const std::string& name) {
  const json* at = find(name, false);
  if (at == nullptr) return std::nullopt;
  return json_fields{*at, fmt::format("{}{}.", place_, name)};
}

void json_fields::refuse(const std::string& name, const std::string& why) const {
  throw yoke::config_error{fmt::format("{}{}: {}", place_, name, why)};
}

void json_fields::finish() const {
  for (const auto& [name, value] : object_.items())
    if (!asked_.contains(name)) refuse(name, fmt::format("is not known; one of {}", fmt::join(asked_, ", ")));
}

}  // namespace tools
