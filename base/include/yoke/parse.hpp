// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A cursor over a setting's text, for the small grammars of YOKE_ variables and options.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <yoke/settings.hpp>

namespace yoke::detail {

/// Of the C locale, whatever the program has set.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads `text` from left to right. Every error names the value, where it came from, the position (counted
/// from 1) and what is accepted. `text` and `accepted` must outlive the parser.
class text_parser {
 public:
  text_parser(const sourced& text, std::string_view accepted) : text_{text}, accepted_{accepted} {}

  bool at_end() const { return position_ == text_.value.size(); }
  std::size_t position() const { return position_; }
  /// '\0' at the end.
  char peek() const { return at_end() ? '\0' : text_.value[position_]; }
  /// Steps over `wanted` if it comes next.
  bool accept(char wanted);
  /// Steps over `wanted`, or fails naming `what` as expected there.
  void expect(char wanted, std::string_view what);
  /// Decimal digits, as an integer of [least, most]; `what` names it in messages.
  int number(std::string_view what, int least, int most);
  /// Lower-case letters, digits, '-' and '_'; may be empty.
  std::string_view word();
  /// Fails unless the text is used up.
  void expect_end();

  /// Errors: config_error, at the current or the given position (counted from 0).
  [[noreturn]] void fail(const std::string& message) const { fail_at(position_, message); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const;
  /// "'x'" or "the end": what comes next, for messages.
  std::string found() const;

 private:
  const sourced& text_;
  std::string_view accepted_;
  std::size_t position_ = 0;
};

/// Of "name,option=value" the name as it is written: up to the first comma without a backslash before it.
std::string_view name_before_options(std::string_view text);
/// What such a name means: "\," is a comma and "\\" a backslash, for files whose paths have them.
std::string without_backslashes(std::string_view name);

/// The candidate that `text` was probably meant to be; empty when none is near.
std::string_view closest(std::string_view text, std::span<const std::string_view> candidates);

}  // namespace yoke::detail
