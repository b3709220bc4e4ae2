#include "../../runtime/src/profile_book.hpp"

#include <random>
#include <support/catch.hpp>

using yoke::profile;
using yoke::detail::kept_run;
using yoke::detail::profile_book;
using yoke::detail::profile_key;

namespace {

profile_key key(const std::string& work) {
  return {.machine = "a CPU \"of\" 8, δ",
          .build = "b",
          .program = "p",
          .work = work,
          .schedule = "auto",
          .cus = "7x1+1"};
}

kept_run run(double when) {
  return {.when = when,
          .learnt = {.units = {{.usual = {1e-6, 0.1 + 0.2}, .careful = {0, 1e-200}}, {.runs = 0}},
                     .maps = {{.use = "both-kinds", .number = 28, .pass = when / 3, .error = 0.01}}}};
}

profile_book book_of(const std::string& text) {
  auto found = profile_book::parse(text);
  REQUIRE(std::holds_alternative<profile_book>(found));
  return std::get<profile_book>(std::move(found));
}

bool is_refused(const std::string& text) {
  return std::holds_alternative<std::string>(profile_book::parse(text));
}

}  // namespace

TEST_CASE("what is written into a profile is read again to the bit", "[profile]") {
  profile_book written;
  written.add(key("sp"), run(1763820000.125));
  written.add(key("bt"), run(5));
  const profile_book read = book_of(written.text());
  CHECK(read.text() == written.text());
  const auto* const entry = read.find(key("sp"));
  REQUIRE(entry != nullptr);
  REQUIRE(entry->runs.size() == 1);
  CHECK(entry->runs[0].when == 1763820000.125);
  const profile& learnt = entry->runs[0].learnt;
  REQUIRE(learnt.units.size() == 2);
  CHECK(learnt.units[0].usual.per_weight == 0.1 + 0.2);
  CHECK(learnt.units[0].careful.per_weight == 1e-200);
  CHECK_FALSE(learnt.units[1].is_known());
  REQUIRE(learnt.maps.size() == 1);
  CHECK(learnt.maps[0].use == "both-kinds");
  CHECK(learnt.maps[0].number == 28);
  CHECK(learnt.maps[0].pass == 1763820000.125 / 3);
}

TEST_CASE("an entry is found by everything that speeds depend on", "[profile]") {
  profile_book book;
  book.add(key("sp"), run(1));
  for (std::string profile_key::* part : {&profile_key::machine, &profile_key::build, &profile_key::program,
                                          &profile_key::work, &profile_key::schedule, &profile_key::cus}) {
    profile_key other = key("sp");
    other.*part += " ";
    CHECK(book.find(other) == nullptr);
  }
  CHECK(book.has_machine(key("").machine));
  CHECK_FALSE(book.has_machine("another"));
}

TEST_CASE("the newest runs and the entries used last are kept", "[profile]") {
  profile_book book;
  for (int i = 0; i < 20; ++i) book.add(key("often"), run(i));
  REQUIRE(book.find(key("often"))->runs.size() == profile_book::most_runs);
  CHECK(book.find(key("often"))->runs.front().when == 19);
  CHECK(book.find(key("often"))->runs.back().when == 20 - profile_book::most_runs);
  for (std::size_t i = 0; i + 1 < profile_book::most_entries; ++i) book.add(key(std::to_string(i)), run(0));
  CHECK(book.find(key("often")) != nullptr);
  book.add(key("0"), run(1));
  book.add(key("one more"), run(0));
  CHECK(book.find(key("often")) == nullptr);
  CHECK(book.find(key("0"))->runs.size() == 2);
}

TEST_CASE("a text cut off anywhere is refused, and nothing at all is an empty book", "[profile]") {
  profile_book book;
  book.add(key("sp"), run(3));
  std::string text = book.text();
  text.pop_back();  // the newline, which a reader can do without
  CHECK(book_of("").is_empty());
  std::size_t refused = 0;
  for (std::size_t length = 1; length < text.size(); ++length)
    refused += is_refused(text.substr(0, length)) ? 1 : 0;
  CHECK(refused == text.size() - 1);
  CHECK_FALSE(is_refused(text));
}

TEST_CASE("whatever byte of a profile is changed, it is read or refused", "[profile]") {
  profile_book book;
  book.add(key("sp"), run(3));
  const std::string text = book.text();
  std::mt19937 random{7};
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(random() % 256);
    CHECK_NOTHROW(profile_book::parse(changed));
  }
}

TEST_CASE("other JSON and another version are refused", "[profile]") {
  for (const char* text :
       {"{}", "[]", "3", "null", R"({"schema": "yoke-npb/1"})",
        R"({"schema": "yoke-profile/2", "entries": []})", R"({"schema": "yoke-profile/1"})",
        R"({"schema": "yoke-profile/1", "entries": 7})", "\xff\xfe", " "})
    CHECK(is_refused(text));
}
