#include "helpers.hpp"

#include <filesystem>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>

#include <yoke/yoke.hpp>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using yoke::runtime;

namespace {

std::string file(const std::string& name) {
  return std::string{YOKE_TEST_PLUGINS} + "/schedules_" + name + ".so";
}
const std::string weights = file("of_weights");

std::string refusal(const std::string& value, const std::string& origin = "YOKE_SCHEDULE") {
  return support::message_of<yoke::error>([&] { yoke::check_schedule({value, origin}); });
}

}  // namespace

TEST_CASE("a loop runs under a schedule of a shared object, with its options", "[runtime]") {
  runtime rt{{.schedule = weights + ":all-to-last,chunk=3"}};
  yoke::task_loop loop = rt.make_loop({.n_tasks = 10});
  counts ran{10};
  std::atomic<int> batches{0};
  for (int pass = 1; pass <= 2; ++pass) {
    rt.run(loop, [&](std::span<const yoke::task_id> batch) {
      ran.add(batch);
      ++batches;
    });
    CHECK(ran.all(pass));
  }
  CHECK(batches == 2 * 4);
  CHECK(loop.plan().describe() == "all-to-last, chunk=3");
  CHECK(loop.cu_of(yoke::task_id{0}) == rt.units().size() - 1);
  CHECK(loop.is_dynamic());
}

TEST_CASE("a schedule of a shared object can be named to one loop", "[runtime]") {
  runtime rt;
  CHECK(rt.make_loop(weights + ":all-to-last", {.n_tasks = 1}).plan().describe() == "all-to-last, chunk=1");
}

TEST_CASE("the path of a shared object may have commas and backslashes, which a backslash before them says",
          "[runtime]") {
  const support::scratch_folder folder;
  const std::string link = folder / "a,b\\,c.so", written = folder / "a\\,b\\\\\\,c.so";
  std::filesystem::create_symlink(weights, link);
  runtime rt{{.schedule = written + ":all-to-last,chunk=3"}};
  CHECK(rt.make_loop({.n_tasks = 10}).plan().describe() == "all-to-last, chunk=3");
  CHECK_THAT(refusal(written + ":nosuch"),
             Contains(": no such schedule of ") && Contains(written + ":all-to-last"));
  CHECK_THAT(refusal(folder / "x,y.so:mine"), Contains("a comma that belongs to the path is written \\,"));
}

TEST_CASE("what a shared object offers is listed with the others", "[runtime]") {
  yoke::check_schedule({weights + ":all-to-last", "a test"});
  CHECK_THAT(refusal("help"), StartsWith("YOKE_SCHEDULE=help: the schedules are\n  auto: ") &&
                                  Contains(weights + ":all-to-last, chunk=k: everything to the last CU") &&
                                  Contains(weights + ":none\n"));
}

TEST_CASE("options of a shared object's schedule are checked as those of any other", "[runtime][errors]") {
  const std::string last = weights + ":all-to-last";
  CHECK_THAT(refusal(last + ",chunk=0"),
             StartsWith("YOKE_SCHEDULE=" + last + ",chunk=0: chunk=\"0\" at position ") &&
                 Contains("is not a whole number from 1"));
  CHECK_THAT(refusal(last + ",size=2", "--schedule"), StartsWith("--schedule " + last + ",size=2: ") &&
                                                          Contains("has no option \"size\"") &&
                                                          Contains("it accepts chunk=k"));
  CHECK_THAT(refusal(last + ",chunk=101"), Contains(": a chunk of over 100 is too much"));
  CHECK_THAT(support::message_of<yoke::error>([] { yoke::check_schedule({weights + ":none", "a test"}); }),
             Contains(":none: its factory gave no schedule"));
}

TEST_CASE("a shared object that cannot be used is refused with what was found", "[runtime][errors]") {
  constexpr int own = yoke::detail::schedule_interface;
  CHECK_THAT(refusal("./nowhere.so:mine"),
             StartsWith("YOKE_SCHEDULE=./nowhere.so:mine: ./nowhere.so cannot be loaded: ") &&
                 Contains("No such file"));
  CHECK_THAT(refusal("nowhere.so:mine"), Contains("write ./nowhere.so"));
  CHECK_THAT(refusal(":mine"), Contains("no file before the colon; write ./FILE.so:NAME"));
  CHECK_THAT(refusal(file("without_entry") + ":mine"),
             Contains("yoke_schedule_plugin") && Contains("YOKE_SCHEDULE_PLUGIN"));
  CHECK_THAT(refusal(file("of_another_version") + ":mine"),
             Contains("was built against version " + std::to_string(own + 1) +
                      " of the interface of schedules and libstdc++; this program has version " +
                      std::to_string(own)));
  CHECK_THAT(refusal(file("of_another_library") + ":mine"),
             Contains("was built against version " + std::to_string(own) +
                      " of the interface of schedules and a library of its own"));
}

TEST_CASE("a name that a shared object does not have is refused with those that it has",
          "[runtime][errors]") {
  CHECK_THAT(refusal(weights + ":all_to_last"),
             Contains(": no such schedule of " + weights + "; one of all-to-last, none, as " + weights +
                      ":all-to-last; did you mean all-to-last?"));
  for (const char* end : {"", ":"}) {
    CHECK_THAT(refusal(weights + end),
               Contains(": names no schedule of " + weights + "; one of all-to-last, none, as "));
  }
}
