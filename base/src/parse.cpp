#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace yoke::detail {

namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

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

std::string_view name_before_options(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != ',') end += text[end] == '\\' ? 2 : 1;
  return text.substr(0, end);
}

std::string without_backslashes(std::string_view name) {
  std::string meant;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char next = at + 1 < name.size() ? name[at + 1] : '\0';
    if (name[at] == '\\' && (next == ',' || next == '\\')) ++at;
    meant += name[at];
  }
  return meant;
}

std::string_view closest(std::string_view text, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(text.size() / 3, 1);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance <= least && (best.empty() || distance < least)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

}  // namespace yoke::detail
