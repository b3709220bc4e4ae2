#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/settings.hpp>
#include <yoke/text.hpp>

using yoke::detail::character_at;
using yoke::detail::printable;
using yoke::detail::printable_lines;
using yoke::detail::valid_text;

namespace {

void append(std::string& text, std::uint32_t point) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += {static_cast<char>(0xc0 | (point >> 6)), tail(0)};
  } else if (point < 0x10000) {
    text += {static_cast<char>(0xe0 | (point >> 12)), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xf0 | (point >> 18)), tail(12), tail(6), tail(0)};
  }
}

bool is_valid(const std::string& text) {
  for (std::size_t at = 0, length = 0; at < text.size(); at += length)
    if ((length = character_at(text, at)) == 0) return false;
  return true;
}

std::string random_bytes(std::mt19937& random) {
  std::string text;
  for (auto left = random() % 12; left > 0; --left) {
    if (random() % 2 == 0) {
      text += static_cast<char>(random());
    } else {
      append(text, random() % 0x110000);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every character of Unicode is valid as it is, and halves of pairs and what is beyond are none",
          "[text]") {
  for (std::uint32_t point = 0; point < 0x110100; ++point) {
    std::string text;
    append(text, point);
    const bool is_character = point < 0x110000 && (point < 0xd800 || point > 0xdfff);
    if ((character_at(text, 0) == text.size()) != is_character) FAIL(point);
    if ((valid_text(text) == text) != is_character) FAIL(point);
  }
}

TEST_CASE("each byte that is part of no character is shown by its number", "[text]") {
  CHECK(valid_text("a\xff"
                   "b") == "a\\xffb");
  CHECK(valid_text("\xc3\xa9") == "\xc3\xa9");
  CHECK(valid_text("\xc3") == "\\xc3");
  CHECK(valid_text("\xe2\x82") == "\\xe2\\x82");
  CHECK(valid_text("\xc0\x80\xed\xa0\x80") == "\\xc0\\x80\\xed\\xa0\\x80");
  CHECK(valid_text("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(valid_text(std::string_view{"\0\x1b\n", 3}) == std::string_view{"\0\x1b\n", 3});
}

TEST_CASE(
    "what is printed has no control character, of eight bits neither, but the ends of a message's lines",
    "[text]") {
  CHECK(printable("\xff\x1b[31m") == "\\xff\\x1b[31m");
  CHECK(printable("a\nb\x7f\xc2\x9b"
                  "31m") == "a\\x0ab\\x7f\\xc2\\x9b31m");
  CHECK(printable("caf\xc3\xa9 \xc2\xa0") == "caf\xc3\xa9 \xc2\xa0");
  CHECK(printable_lines("a\n\tb\x1b\xff") == "a\n\tb\\x1b\\xff");
}

TEST_CASE("whatever the bytes, what is made of them is valid, and is left as it is from then on", "[text]") {
  const std::uint32_t used = support::seed();
  INFO("--rng-seed " << used);
  std::mt19937 random{used};
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_bytes(random);
    for (const std::string& made : {valid_text(text), printable(text), printable_lines(text)}) {
      if (!is_valid(made) || valid_text(made) != made) FAIL(made);
    }
    if (is_valid(text) && valid_text(text) != text) FAIL(text);
  }
}

TEST_CASE("the message about a value prints no control character of it", "[text][settings]") {
  const std::string bad = "\xff\x1b[31m";
  CHECK(yoke::sourced{bad, "YOKE_CUS"}.quoted() == "YOKE_CUS=\\xff\\x1b[31m");
  CHECK(yoke::sourced{bad, "--cus"}.quoted() == "--cus \\xff\\x1b[31m");
  CHECK(yoke::sourced{bad, "a test"}.quoted() == "\\xff\\x1b[31m (a test)");
}
