#include "program/command_line.hpp"

#include <cstdint>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

struct program {
  int steps = 20;
  double pcf = 3;
  std::vector<std::int64_t> sides{1, 2};
  std::string letter = "A";
  bool is_quick = false, is_slow = false;
  int runs = 0;

  int run(std::vector<std::string> words) {
    bench::command_line line{"program", "Does nothing."};
    line.add("--steps", steps, "steps", bench::between(1, 100));
    line.add("--pcf", pcf, "a ratio", bench::between(1e-6, 1e6));
    line.add("--sides", sides, "sides", bench::between(1, 9));
    line.add("--class", letter, "class", bench::one_of({"A", "B"}));
    line.add_flag("--quick", is_quick, "quickly");
    line.add_flag("--slow", "slowly", [&] { is_slow = true; });
    line.exclude("--slow", "--quick");
    words.insert(words.begin(), "program");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return line.run(static_cast<int>(arguments.size()), arguments.data(), [&] { return ++runs, 7; });
  }
};

}  // namespace

TEST_CASE("a program's status is that of its work, and its options are what was given", "[command-line]") {
  program p;
  CHECK(p.run({"--steps", "3", "--pcf", "1e6", "--sides", "4", "5", "9", "--class", "B", "--slow"}) == 7);
  CHECK(p.runs == 1);
  CHECK(p.steps == 3);
  CHECK(p.pcf == 1e6);
  CHECK(p.sides == std::vector<std::int64_t>{4, 5, 9});
  CHECK(p.letter == "B");
  CHECK(p.is_slow);
  CHECK_FALSE(p.is_quick);
}

TEST_CASE("a program that asks for help does not work", "[command-line]") {
  program p;
  CHECK(p.run({"--help"}) == 0);
  CHECK(p.runs == 0);
}

TEST_CASE("an option that takes a number refuses what is none, infinite or outside", "[command-line]") {
  for (const char* const given : {"nan", "NAN", "inf", "1e999", "1e-320", "0", "1000001", "0x1p1", "many"}) {
    INFO(given);
    program p;
    CHECK(p.run({"--pcf", given}) == 2);
    CHECK(p.run({"--steps", given}) == 2);
    CHECK(p.run({"--sides", "1", given}) == 2);
    CHECK(p.runs == 0);
  }
}

TEST_CASE("words that are none, options that contradict each other and unknown ones are refused",
          "[command-line]") {
  program p;
  CHECK(p.run({"--class", "C"}) == 2);
  CHECK(p.run({"--quick", "--slow"}) == 2);
  CHECK(p.run({"--further"}) == 2);
  CHECK(p.run({"--steps", "2.5"}) == 2);
  CHECK(p.runs == 0);
}
