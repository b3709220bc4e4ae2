#include <array>
#include <fmt/format.h>

#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

struct kind_of_character {
  unsigned char first, last;                ///< its first byte
  unsigned char least = 0x80, most = 0xbf;  ///< its second: neither too long a form, nor half of a pair
  std::size_t bytes = 2;
};
/// Table 3-7 of the Unicode standard, but for ASCII.
constexpr std::array<kind_of_character, 8> kinds{{{0xc2, 0xdf},
                                                  {0xe0, 0xe0, 0xa0, 0xbf, 3},
                                                  {0xe1, 0xec, 0x80, 0xbf, 3},
                                                  {0xed, 0xed, 0x80, 0x9f, 3},
                                                  {0xee, 0xef, 0x80, 0xbf, 3},
                                                  {0xf0, 0xf0, 0x90, 0xbf, 4},
                                                  {0xf1, 0xf3, 0x80, 0xbf, 4},
                                                  {0xf4, 0xf4, 0x80, 0x8f, 4}}};

bool is_within(unsigned char byte, unsigned char least, unsigned char most) {
  return least <= byte && byte <= most;
}

bool has_rest(std::string_view rest, const kind_of_character& kind) {
  if (rest.size() < kind.bytes) return false;
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(rest[n]); };
  for (std::size_t n = 2; n < kind.bytes; ++n)
    if (!is_within(byte(n), 0x80, 0xbf)) return false;
  return is_within(byte(1), kind.least, kind.most);
}

/// C0, DEL and C1, which terminals obey too.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

/// `stays` says so of each character.
template <class Stays>
std::string made_of(std::string_view text, const Stays& stays) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_at(text, at);
    const std::string_view here = text.substr(at, length == 0 ? 1 : length);
    if (length > 0 && stays(here)) {
      made += here;
    } else {
      made += escaped(here);
    }
    at += here.size();
  }
  return made;
}

}  // namespace

std::size_t character_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.empty()) return 0;
  const auto first = static_cast<unsigned char>(rest[0]);
  if (first < 0x80) return 1;
  for (const kind_of_character& kind : kinds)
    if (is_within(first, kind.first, kind.last)) return has_rest(rest, kind) ? kind.bytes : 0;
  return 0;
}

std::string valid_text(std::string_view text) {
  return made_of(text, [](std::string_view) { return true; });
}

std::string printable(std::string_view text) {
  return made_of(text, [](std::string_view character) { return !is_control(character); });
}

std::string printable_lines(std::string_view text) {
  return made_of(text, [](std::string_view character) {
    return character == "\n" || character == "\t" || !is_control(character);
  });
}

}  // namespace yoke::detail
