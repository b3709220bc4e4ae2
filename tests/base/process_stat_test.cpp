#include "../../base/src/process_stat.hpp"

#include <string>
#include <support/catch.hpp>
#include <unistd.h>

using yoke::detail::look_at;
using yoke::detail::process_in;

TEST_CASE("a process has its number with its start time, its parent and its name", "[process_stat]") {
  const auto seen =
      process_in("4711 (sp-mz) S 4700 4711 4711 0 -1 0 1 0 0 0 1 2 0 0 20 0 4 0 81234 1000 10\n");
  CHECK(seen.identity == "4711:81234");
  CHECK(seen.parent == "4700");
  CHECK(seen.name == "sp-mz");
}

TEST_CASE("a name may hold spaces, brackets and lines", "[process_stat]") {
  const auto seen = process_in("7 (a) b (\n) R 1 7 7 0 -1 0 1 0 0 0 1 2 0 0 20 0 4 0 99 1000 10\n");
  CHECK(seen.name == "a) b (\n");
  CHECK(seen.identity == "7:99");
  CHECK(seen.parent == "1");
}

TEST_CASE("what a text lacks is empty", "[process_stat]") {
  for (const std::string text : {"", "(", ")", "7", "7 (", "7 (a", "7 (a)", "7 (a) R"}) {
    INFO(text);
    const auto seen = process_in(text);
    CHECK(seen.parent.empty());
    CHECK(seen.identity.ends_with(':'));
  }
}

TEST_CASE("this process is told from others, and one that is not there from all", "[process_stat]") {
  CHECK(look_at("self").parent == std::to_string(getppid()));
  CHECK(look_at("self").identity.starts_with(std::to_string(getpid()) + ":"));
  CHECK(look_at("none").identity == ":");
}
