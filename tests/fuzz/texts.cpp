// What users write into variables and options: the first character ('0' to '6') chooses
// the parser, the rest is the text.

#include "machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <yoke/configuration.hpp>
#include <yoke/device_list.hpp>
#include <yoke/emulated.hpp>
#include <yoke/error.hpp>
#include <yoke/places_text.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/settings.hpp>
#include <yoke/topology.hpp>

namespace {

void must(bool what, const char* text) {
  if (what) return;
  std::fprintf(stderr, "not so: %s\n", text);
  std::abort();
}

void read_configuration(const std::string& text) {
  const yoke::configuration shape = yoke::parse_configuration({text, "YOKE_CUS"});
  must(yoke::parse_configuration({shape.text(), "x"}) == shape, "a configuration's text reads back the same");
}

void read_places(const std::string& text) {
  static const yoke::topology machine = yoke::topology::synthetic("pack:2 l3:2 core:2 pu:2");
  const yoke::places_reading found = yoke::read_places({text, "OMP_PLACES"}, machine);
  if (found.places.empty()) return;
  const yoke::places_reading again = yoke::read_places({yoke::short_places_text(found.places), "x"}, machine);
  must(yoke::places_text(again.places) == yoke::places_text(found.places), "places read back the same");
}

constexpr std::array<void (*)(const std::string&), 7> parsers{
    read_configuration,
    read_places,
    [](const std::string& text) { yoke::parse_device_list({text, "YOKE_DEVICES"}); },
    [](const std::string& text) { yoke::parse_emulated_options({text, "YOKE_EMULATED"}); },
    [](const std::string& text) { yoke::scheduling::check(text, "YOKE_SCHEDULE"); },
    [](const std::string& text) { yoke::parse_flag({text, "YOKE_SMT"}); },
    [](const std::string& text) { tools::parse_cpu_list(text, "--cpus"); }};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] < '0') return -1;
  const std::string text{reinterpret_cast<const char*>(data) + 1, size - 1};
  try {
    parsers[(data[0] - '0') % parsers.size()](text);
  } catch (const yoke::config_error&) {  // a mistake in the text
  }
  return 0;
}
