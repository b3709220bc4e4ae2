#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace yoke::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }

}  // namespace

bool text_parser::accept(char wanted) {
  if (at_end() || peek() != wanted) return false;
  ++position_;
  return true;
}

void text_parser::expect(char wanted, std::string_view what) {
  if (!accept(wanted)) fail(fmt::format("expected {}, found {}", what, found()));
}

int text_parser::number(std::string_view what, int least, int most) {
  const std::size_t start = position_;
  if (!is_digit(peek())) fail(fmt::format("expected {}, found {}", what, found()));
  long value = 0;
  for (; is_digit(peek()); ++position_) value = std::min(value * 10 + (peek() - '0'), long{most} + 1);
  if (value >= least && value <= most) return static_cast<int>(value);
  fail_at(start, fmt::format("{} must be from {} to {}", what, least, most));
}

std::string_view text_parser::word() {
  const std::size_t start = position_;
  while (is_word(peek())) ++position_;
  return std::string_view{text_.value}.substr(start, position_ - start);
}

void text_parser::expect_end() {
  if (!at_end()) fail(fmt::format("expected the end, found {}", found()));
}

void text_parser::fail_at(std::size_t position, const std::string& message) const {
  throw config_error{
      fmt::format("{}: position {}: {}; accepted: {}", text_.quoted(), position + 1, message, accepted_)};
}

std::string text_parser::found() const {
  if (at_end()) return "the end";
  const char next = peek();
  if (next < ' ' || next > '~') return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(next));
  return fmt::format("'{}'", next);
}

}  // namespace yoke::detail
