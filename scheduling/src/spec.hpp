#pragma once
/// "name{,option=value}" as the user wrote it, with positions for messages.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/schedule_factory.hpp>

namespace yoke::scheduling {

/// One option of a spec: "chunk=4".
struct option {
  std::string_view name;
  std::string_view value;
  std::size_t position = 0;  ///< of its first character in the spec, from 1
};

/// A parsed spec and the messages about it. Views into the text it was made from, which must outlive it.
class spec final : public schedule_options {
 public:
  spec(std::string_view text, std::string_view origin);

  std::string_view name() const { return name_; }
  /// Refuses every option that is not in `accepted` ("chunk=k, gpu_chunk=k|chunk").
  void accept(std::string_view accepted) const;

  int count(std::string_view option_name, int otherwise) const override;
  std::optional<double> positive(std::string_view option_name) const override;
  bool is(std::string_view option_name, std::string_view word) const override;
  bool has(std::string_view option_name) const override { return find(option_name) != nullptr; }
  [[noreturn]] void refuse(const std::string& message) const override;

 private:
  void add_option(std::string_view item, std::size_t position);
  const option* find(std::string_view option_name) const;
  [[noreturn]] void refuse_value(const option& given, std::string_view wanted) const;

  std::string_view text_;
  std::string_view origin_;
  std::string_view name_;
  std::vector<option> options_;
};

}  // namespace yoke::scheduling
