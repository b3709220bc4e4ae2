#pragma once
/// Reading files that people write: every mistake is told with the file and the place in it.

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include <yoke/number_range.hpp>

namespace tools {

using json = nlohmann::ordered_json;

/// No memory and no transfer has more; beyond 2^64 a number of bytes would be none.
inline constexpr double most_bytes = 1e18;

/// Errors: config_error naming the file where it cannot be read or is no JSON.
json read_json(const std::string& path);
/// On standard output.
void print_json(const json& what);
/// Errors: config_error naming the file where it cannot be written.
void write_text(const std::string& path, const std::string& text);

/// The members of an object. Errors, all of them config_errors "FILE: PLACE.name: what is wrong, what is
/// accepted"; members that nobody asked for are refused by `finish`.
class json_fields {
 public:
  json_fields(const json& object, std::string place);

  bool has(const std::string& name) const { return object_.contains(name); }
  /// Of the range; `otherwise` where it is not there.
  double number(const std::string& name, const yoke::detail::number_range& range,
                std::optional<double> otherwise = {});
  /// From 0 to most_bytes; 0 where it is not there.
  std::size_t bytes(const std::string& name);
  int whole(const std::string& name, int least, std::optional<int> otherwise = {});
  std::string text(const std::string& name, std::optional<std::string> otherwise = {});
  /// Null where it is not there.
  const json* list(const std::string& name);
  std::optional<json_fields> object(const std::string& name);
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;
  void finish() const;

 private:
  const json* find(const std::string& name, bool is_needed);

  const json& object_;
  std::string place_;
  std::set<std::string> asked_;
};

}  // namespace tools
