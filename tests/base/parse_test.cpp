#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/parse.hpp>

using yoke::sourced;
using yoke::detail::closest;
using yoke::detail::text_parser;

namespace {

/// What `read` says about `text` when it refuses it.
template <class Read>
std::string refusal(const std::string& text, const Read& read) {
  const sourced value{text, "YOKE_X"};
  return support::message_of([&] {
    text_parser in{value, "n{,n}"};
    read(in);
  });
}

int number_in(const std::string& text, int least, int most) {
  const sourced value{text, "YOKE_X"};
  return text_parser{value, ""}.number("a number", least, most);
}

}  // namespace

TEST_CASE("a parser goes through a text from left to right", "[parse]") {
  const sourced value{"12,ab-c_9;", "YOKE_X"};
  text_parser in{value, ""};
  CHECK(in.number("a number", 0, 99) == 12);
  CHECK_FALSE(in.accept(';'));
  CHECK(in.accept(','));
  CHECK(in.position() == 3);
  CHECK(in.word() == "ab-c_9");
  CHECK(in.word().empty());
  CHECK(in.peek() == ';');
  in.expect(';', "the end of an item");
  CHECK(in.at_end());
  CHECK(in.peek() == '\0');
  CHECK_FALSE(in.accept('\0'));
  CHECK_NOTHROW(in.expect_end());
}

TEST_CASE("a number is refused outside of its bounds, however long it is", "[parse]") {
  CHECK(number_in("65535", 1, 65535) == 65535);
  CHECK(number_in("0001", 1, 65535) == 1);
  CHECK(number_in(std::to_string(std::numeric_limits<int>::max()), 0, std::numeric_limits<int>::max()) ==
        std::numeric_limits<int>::max());
  for (const char* wrong : {"0", "65536", "99999999999999999999999999"}) {
    CAPTURE(wrong);
    CHECK(refusal(wrong, [](text_parser& in) { in.number("a count", 1, 65535); }) ==
          std::string{"YOKE_X="} + wrong + ": position 1: a count must be from 1 to 65535; accepted: n{,n}");
  }
}

TEST_CASE("a mistake is told with value, position, what was expected and what is there", "[parse]") {
  const auto wants_two_numbers = [](text_parser& in) {
    in.number("a number", 0, 9);
    in.expect(',', "','");
    in.number("a number", 0, 9);
    in.expect_end();
  };
  const auto [text, told] = GENERATE(table<std::string, std::string>({
      {"", "position 1: expected a number, found the end"},
      {"-1", "position 1: expected a number, found '-'"},
      {"1;2", "position 2: expected ',', found ';'"},
      {"1,", "position 3: expected a number, found the end"},
      {"1,2 ", "position 4: expected the end, found ' '"},
      {"1\n2", "position 2: expected ',', found byte 0x0a"},
      {"1,\x80", "position 3: expected a number, found byte 0x80"},
      {"1,2\x7f", "position 4: expected the end, found byte 0x7f"},
  }));
  CHECK_THAT(refusal(text, wants_two_numbers), Catch::Contains(": " + told + "; accepted: n{,n}"));
}

TEST_CASE("the nearest of some names is found where one is near", "[parse]") {
  constexpr std::array<std::string_view, 3> names{"static", "dynamic", "guided"};
  CHECK(closest("dinamic", names) == "dynamic");
  CHECK(closest("static", names) == "static");
  CHECK(closest("guide", names) == "guided");
  CHECK(closest("memorizing", names).empty());
  CHECK(closest("", names).empty());
  CHECK(closest("static", {}).empty());
}
