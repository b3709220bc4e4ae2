// An entry of a profile that cannot be read costs no other entry, and what Yoke writes it can read.
#include "../../runtime/src/profile_book.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <support/catch.hpp>
#include <support/ends.hpp>

using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using yoke::detail::kept_run;
using yoke::detail::profile_book;
using yoke::detail::profile_entry;
using yoke::detail::profile_key;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

profile_key key_of(const std::string& program) { return {.machine = "m", .program = program, .work = "w"}; }

kept_run run_of(double per_weight) {
  return {.when = 1,
          .learnt = {.units = {{.usual = {0, per_weight}, .careful = {0, per_weight}}},
                     .maps = {{.use = "gpus", .number = 28, .pass = 3, .error = 0.25}}}};
}

profile_book book_from(const std::string& text) {
  auto found = profile_book::parse(text);
  REQUIRE(std::holds_alternative<profile_book>(found));
  return std::get<profile_book>(std::move(found));
}

/// Two entries, of which the second has this instead of its speed, or of the number of its map.
std::string damaged(const char* what, const char* by) {
  profile_book book;
  book.add(key_of("second"), run_of(0.5));
  std::string text = book.text();
  const std::string instead{by};
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + instead.size()))
    text.replace(at, std::string{what}.size(), instead);
  ordered_json all = ordered_json::parse(text);
  profile_book other;
  other.add(key_of("first"), run_of(2));
  all["entries"].insert(all["entries"].begin(), ordered_json::parse(other.text())["entries"][0]);
  return all.dump(1, ' ') + "\n";
}

}  // namespace

TEST_CASE("speeds that JSON has no number for are not written, and all else can be read again", "[profile]") {
  profile_book written;
  kept_run run = run_of(infinite);
  run.learnt.units.push_back({.usual = {1e-6, 2}, .careful = {1e-6, 3}});
  run.learnt.maps.push_back({.use = "cpus", .number = 1, .pass = infinite, .error = 0});
  written.add(key_of("a"), run);
  const profile_book read = book_from(written.text());
  CHECK(read.damage().empty());
  REQUIRE(read.find(key_of("a")) != nullptr);
  const yoke::profile& learnt = read.find(key_of("a"))->runs.at(0).learnt;
  REQUIRE(learnt.units.size() == 2);
  CHECK_FALSE(learnt.units[0].is_known());
  CHECK(learnt.units[1].careful.per_weight == 3);
  CHECK(learnt.maps.size() == 1);
}

TEST_CASE("whatever a run has learnt, what is written of it is read again without damage", "[profile]") {
  const auto seed = support::seed();
  CAPTURE(seed);
  std::mt19937 rng{seed};
  const auto any = [&] { return support::near_the_ends(rng); };
  for (int n = 0; n < 2000; ++n) {
    profile_book written;
    kept_run run{.when = any(), .learnt = {}};
    for (int unit = 0; unit < 3; ++unit)
      run.learnt.units.push_back({.usual = {any(), any()}, .careful = {any(), any()}});
    run.learnt.maps.push_back(
        {.use = "gpus", .number = static_cast<int>(rng()), .pass = any(), .error = any()});
    written.add(key_of("a"), run);
    const profile_book read = book_from(written.text());
    REQUIRE(read.damage().empty());
    REQUIRE(read.text() == written.text());
  }
}

TEST_CASE("an entry that cannot be read is told with its place and what is accepted, and the others are read",
          "[profile]") {
  for (const char* number : {"null", "-0.5", "\"fast\"", "0", "1e-320", "1e201", "[]"}) {
    const profile_book book = book_from(damaged("0.5", number));
    CHECK(book.find(key_of("first")) != nullptr);
    CHECK(book.find(key_of("second")) == nullptr);
    CHECK_THAT(book.damage(), Contains("1 of its 2 entries cannot be read, and stays as it is") &&
                                  Contains("entries[1].runs[0].units[0].usual[1]: ") &&
                                  Contains(" is not accepted; a number from 1e-200 to 1e+200"));
  }
  for (const char* number : {"1e30", "-1", "2147483648", "28.5", "\"28\""})
    CHECK_THAT(book_from(damaged("28", number)).damage(),
               Contains("entries[1].runs[0].maps[0].number: ") && Contains("a whole number from 0 up"));
  CHECK_THAT(book_from(damaged("\"when\"", "\"then\"")).damage(),
             Contains("entries[1]: key 'when' not found"));
}

TEST_CASE("an entry that cannot be read stays in the file as it is when others are added", "[profile]") {
  profile_book book = book_from(damaged("0.5", "null"));
  book.add(key_of("third"), run_of(4));
  book.add(key_of("second"), run_of(5));
  const std::string text = book.text();
  CHECK(ordered_json::parse(text)["entries"].back() ==
        ordered_json::parse(damaged("0.5", "null"))["entries"].back());
  const profile_book again = book_from(text);
  for (const char* program : {"first", "second", "third"}) CHECK(again.find(key_of(program)) != nullptr);
  CHECK_THAT(again.damage(), Contains("1 of its 4 entries"));
}

TEST_CASE("an entry that cannot be read is removed by the words of its key", "[profile]") {
  profile_book book = book_from(damaged("0.5", "null"));
  CHECK(book.remove([](const profile_entry& one) { return one.key.program == "second"; }) == 1);
  CHECK(book.damage().empty());
  CHECK(book.find(key_of("first")) != nullptr);
}
