#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/backends.hpp>
#include <yoke/emulated.hpp>
#include <yoke/error.hpp>

// The parts of the backends that need no device.

namespace {

using Catch::Matchers::Contains;

std::string parse_error(const std::string& text) {
  return support::message_of([&] { yoke::parse_emulated_options({text, "YOKE_EMULATED"}); });
}

}  // namespace

TEST_CASE("options of the emulated device are read with their units", "[emulated]") {
  const auto options =
      yoke::parse_emulated_options({"memory=2GiB,slowdown=2.5,processors=12,shared-memory=96KiB,fail-alloc=3,"
                                    "fail-copy=4,fail-launch=5,fail-call=6,"
                                    "lost-after=0",
                                    "YOKE_EMULATED"});
  CHECK(options.memory == std::size_t{2} << 30);
  CHECK(options.slowdown == 2.5);
  CHECK(options.processors == 12);
  CHECK(options.shared_memory == 96u << 10);
  CHECK(options.fail_alloc == 3);
  CHECK(options.fail_copy == 4);
  CHECK(options.fail_launch == 5);
  CHECK(options.fail_call == 6);
  CHECK(options.lost_after == 0);
  CHECK(yoke::parse_emulated_options({"memory=3MiB", "x"}).memory == 3u << 20);
  CHECK(yoke::parse_emulated_options({"memory=3KiB", "x"}).memory == 3u << 10);
  CHECK(yoke::parse_emulated_options({"memory=300", "x"}).memory == 300);
}

TEST_CASE("malformed options name the value, the position and what is accepted", "[emulated]") {
  CHECK_THAT(parse_error("memory=2GB"), Contains("YOKE_EMULATED=memory=2GB: position 8: '2GB'") &&
                                            Contains("accepted: option=value{,option=value}; options "
                                                     "memory=BYTES[KiB|MiB|GiB], slowdown=X (X >= 1)"));
  CHECK_THAT(parse_error("slowdown=2,speed=3"), Contains("position 12: there is no option 'speed'"));
  CHECK_THAT(parse_error("slowdown=0.5"), Contains("position 10: '0.5' is not a number from 1 to 1e+09"));
  CHECK(yoke::parse_emulated_options({"peers=2", "x"}).peers == 2);
  CHECK_THAT(parse_error("peers=-1"), Contains("position 7: '-1' is not a whole number of at least 0"));
  CHECK_THAT(parse_error("slowdown=1,slowdown=2"), Contains("position 12: 'slowdown' is given twice"));
  CHECK_THAT(parse_error("fail-copy=0"), Contains("position 11"));
  CHECK_THAT(parse_error("memory"), Contains("position 1: 'memory' has no value"));
  CHECK_THAT(parse_error("memory=1,"), Contains("position 10: an option is missing"));
  for (const char* text : {"", "memory=0", "memory=-1", "processors=0", "processors=65536",
                           "processors=9999999999", "memory=99999999999GiB", "slowdown=nan", "slowdown=inf",
                           "slowdown=1e999", "fail-alloc=1x", "lost-after=-1", "=", ",", "memory=1 "}) {
    CAPTURE(text);
    CHECK_THAT(parse_error(text), Contains("position"));
  }
}

TEST_CASE("random option texts are accepted or refused, never anything else", "[emulated]") {
  const int accepted = support::accepted_texts(
      {"memory=", "slowdown=", "fail-alloc=", "lost-after=", "1", "2.5", "9999999999999999999999", "GiB", ",",
       "=", "-"},
      [](const std::string& text) { yoke::parse_emulated_options({text, "YOKE_EMULATED"}); });
  CHECK(accepted > 0);
}

TEST_CASE("a backend that was not built says how to get it", "[backends]") {
  for (const yoke::backend& each : yoke::all_backends()) {
    CHECK(yoke::find_backend(each.name) == &each);
    if (each.built()) continue;
    std::string why;
    CHECK(each.count(why) == 0);
    CHECK_THAT(why, Contains("configure with -DYOKE_GPU=" + std::string{each.name}));
    CHECK_THROWS_AS(each.open({.index = 0}), yoke::config_error);
  }
  const auto& emulated = *yoke::find_backend("emulated");
  CHECK_THROWS_AS(emulated.open({.index = 1000}), yoke::config_error);
  CHECK(emulated.open({.index = 3}, yoke::sourced{"memory=1MiB", "test"})->info().name == "emulated:3");
}

TEST_CASE("a name that is no backend's finds none", "[backends]") {
  for (const char* name : {"", "fpga", "CUDA", "cuda:0"}) CHECK(yoke::find_backend(name) == nullptr);
}
