/// Where a trace goes, and what is said of one that is not whole.
#include "helpers.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using yoke::runtime;
using yoke::sourced;

namespace {

yoke::runtime_options traced_to(const std::string& path) {
  return {.cus = sourced{"1x1", "test"}, .trace = sourced{path, "--trace"}};
}

#ifndef YOKE_SANITIZED  // its allocator ends the process
/// As where memory is short: for a name that long there is none.
void lose_an_event(runtime& rt) {
  rt.trace()->span(0, "task", std::string_view{"", std::size_t{1} << 60}, yoke::now(), yoke::now());
}
#endif

}  // namespace

TEST_CASE("a FIFO gets one trace, that of the first writing or of the end", "[runtime][trace]") {
  const support::scratch_folder folder;
  const std::string path = folder / "fifo";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const bool is_asked_for = GENERATE(true, false);
  std::string read;
  std::thread reader{[&] {
    std::ifstream file{path};
    read.assign(std::istreambuf_iterator<char>{file}, {});
  }};
  {
    runtime rt{traced_to(path)};
    rt.trace()->span(0, "task", "of the test", yoke::now(), yoke::now());
    if (is_asked_for) rt.write_trace();
    if (is_asked_for) rt.write_trace();
  }
  reader.join();
  CHECK_THAT(json::parse(read).dump(), Contains("of the test"));
}

#ifndef YOKE_SANITIZED
TEST_CASE("a trace that lacks events is an error of whoever asks for it", "[runtime][trace]") {
  const support::scratch_folder folder;
  const std::string path = folder / "t.json";
  runtime rt{traced_to(path)};
  CHECK_NOTHROW(rt.write_trace());
  lose_an_event(rt);
  CHECK_THAT(support::message_of<yoke::out_of_memory>([&] { rt.write_trace(); }),
             StartsWith("--trace " + path + ": the trace in ") && Contains("lacks 1 events"));
}

TEST_CASE("ends with a trace that lacks events", "[.ends-with-a-trace]") {
  const support::scratch_folder folder;
  runtime rt{traced_to(folder / "t.json")};
  lose_an_event(rt);
}

TEST_CASE("a trace that lacks events is told where a runtime ends", "[runtime][trace]") {
  CHECK_THAT(support::run_child("ends with a trace that lacks events").message,
             Contains("yoke: --trace ") && Contains("lacks 1 events"));
}
#endif
