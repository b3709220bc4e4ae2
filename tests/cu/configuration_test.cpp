#include <fmt/format.h>
#include <random>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/configuration.hpp>

using support::message_of;
using yoke::configuration;

namespace {

configuration parse(const std::string& text) { return yoke::parse_configuration({text, "YOKE_CUS"}); }

}  // namespace

TEST_CASE("a configuration is read as it is written", "[configuration]") {
  const auto [text, n, m, g] = GENERATE(table<std::string, int, int, int>({
      {"7x2+2", 7, 2, 2},
      {"16x1", 16, 1, 0},
      {"+1", 0, 0, 1},
      {"1x1+1", 1, 1, 1},
      {"3x4+4x1", 3, 4, 4},
      {"65535x1+65535", 65535, 1, 65535},
      {"007x02", 7, 2, 0},
  }));
  CHECK(parse(text) == configuration{n, m, g});
  CHECK(parse(text).units() == n + g);
}

TEST_CASE("the text of a configuration reads back as the same one", "[configuration]") {
  std::mt19937 random{7};
  for (int i = 0; i < 1000; ++i) {
    const auto upto = [&](unsigned most) { return static_cast<int>(random() % (most + 1)); };
    configuration shape{upto(200), 1 + upto(200), upto(9)};
    if (shape.cpu_units == 0) shape = {0, 0, 1 + shape.gpu_units};
    CHECK(parse(shape.text()) == shape);
  }
}

TEST_CASE("a mistake in a configuration is reported with its position", "[configuration]") {
  const auto [text, position, reason] = GENERATE(table<std::string, int, std::string>({
      {"", 1, "expected the number of CPU compute units, found the end"},
      {"7", 2, "expected 'x' and the CPUs of one compute unit, found the end"},
      {"7x", 3, "expected the number of CPUs of one compute unit, found the end"},
      {"x2", 1, "expected the number of CPU compute units, found 'x'"},
      {"0x2+1", 1, "the number of CPU compute units must be from 1 to 65535"},
      {"2x0", 3, "the number of CPUs of one compute unit must be from 1 to 65535"},
      {"2x1+0", 5, "the number of GPU compute units must be from 1 to 65535"},
      {"+", 2, "expected the number of GPU compute units, found the end"},
      {"+0", 2, "the number of GPU compute units must be from 1"},
      {"-1x2", 1, "found '-'"},
      {"2 x1", 2, "found ' '"},
      {"2X1", 2, "found 'X'"},
      {"2x1 ", 4, "expected the end, found ' '"},
      {"2x1+1+1", 6, "expected the end, found '+'"},
      {"99999999999999999999x1", 1, "must be from 1 to 65535"},
      {"4294967297x1", 1, "must be from 1 to 65535"},
      {"65535x65535", 7, "65535x65535 is more than 65535 CPUs"},
      {"1x2+1x2", 6, "NxM+GxK with K > 1 is not supported: a GPU compute unit has one managing CPU, not 2"},
      {"1x2+1x0", 7, "must be from 1"},
      {"2x1\xc3\xa9", 4, "found byte 0xc3"},
  }));
  const std::string message = message_of([text = text] { parse(text); });
  CHECK_THAT(message, Catch::StartsWith(fmt::format("YOKE_CUS={}: position {}: ", text, position)));
  CHECK_THAT(message, Catch::Contains(reason) && Catch::Contains("accepted: NxM | NxM+G | +G"));
}

TEST_CASE("an option's mistake is quoted as an option", "[configuration]") {
  const std::string message = message_of([] { yoke::parse_configuration({"7x", "--cus"}); });
  CHECK_THAT(message, Catch::StartsWith("--cus 7x: position 3: "));
}

TEST_CASE("of a list each rank has its own, and ranks begin again behind its end", "[configuration]") {
  const auto of_rank = [](const std::string& text, int rank, int size) {
    return yoke::parse_configuration({text, "--cus"}, rank, size).text();
  };
  CHECK(of_rank("1x2+1", 2, 3) == "1x2+1");
  CHECK(of_rank("1x2+1,15x1", 0, 2) == "1x2+1");
  CHECK(of_rank("1x2+1,15x1", 3, 4) == "15x1");
  CHECK(message_of([&] { of_rank("1x1,2x1,+1", 0, 2); }) ==
        "--cus 1x1,2x1,+1: 3 configurations for 2 ranks; accepted: one, one for each rank, or so many that "
        "ranks "
        "are some times as many");
  CHECK_THAT(message_of([&] { of_rank("1x1,2x", 0, 2); }), Catch::StartsWith("--cus 2x: position 3: "));
  CHECK_THAT(message_of([&] { of_rank("1x1,", 0, 2); }), Catch::Contains("expected the number"));
  CHECK_THAT(message_of([&] { of_rank("1x1,1x1", 0, 1); }), Catch::Contains("expected the end, found ','"));
}

TEST_CASE("no text makes the configuration parser throw anything but a config_error", "[configuration]") {
  const int accepted = support::accepted_texts({"x", "+", "0", "1", "2", "16", "65535", "-"}, [](auto& text) {
    const configuration shape = parse(text);
    CHECK(parse(shape.text()) == shape);
  });
  CHECK(accepted > 100);
}
