#include "misuse.hpp"

#include <support/variable.hpp>

namespace attack {

using yoke::runtime;
using yoke::runtime_options;

namespace {

/// Makes a second runtime that cannot be.
misuse of_options(const char* what, std::vector<std::string> says, const runtime_options& options) {
  return {what, kind::config, std::move(says), [=](victim&) { const runtime other{options}; }};
}

misuse of_variable(const char* what, std::vector<std::string> says, const char* name, const char* value) {
  return {what, kind::config, std::move(says), [=](victim&) {
            const support::variable set{name, value};
            const runtime other;
          }};
}

yoke::sourced option(const char* value) { return {value, "--it"}; }

}  // namespace

std::vector<misuse> misuse_of_settings() {
  return {
      of_options("asks for no CPU", {"--it 0x1"}, {.cus = option("0x1")}),
      of_options("asks for half a configuration", {"--it 7x"}, {.cus = option("7x")}),
      of_options("asks for more CPUs than there are", {"--it 9999x1", "largest configuration that fits"},
                 {.cus = option("9999x1")}),
      of_options("asks for more GPUs than it names", {"--it 1x1+7", "7 GPU CUs asked for"},
                 {.cus = option("1x1+7")}),
      of_options("names a device without a number", {"--it cuda:"}, {.devices = option("cuda:")}),
      of_options("names a device below 0", {"--it cuda:-1"}, {.devices = option("cuda:-1")}),
      of_options("names a device twice", {"--it cuda:0,0"}, {.devices = option("cuda:0,0")}),
      of_options("names a device of an unknown kind", {"--it tpu:0"}, {.devices = option("tpu:0")}),
      of_options("names a slice that there is not", {"--it emulated:1/2:2", "from 0 to 1"},
                 {.devices = option("emulated:1/2:2")}),
      of_options("asks for more processors than there are", {"emulated:0@9", "has 1 processor"},
                 {.cus = option("1x1+1"), .devices = option("emulated:1@9")}),
      of_options("names a schedule that does not exist", {"fastest"}, {.schedule = option("fastest")}),
      of_variable("gives emulated devices no memory", {"YOKE_EMULATED=memory=0", "position 8"},
                  "YOKE_EMULATED", "memory=0"),
      of_variable("gives an emulated device an option that it has not", {"no option 'speed'"},
                  "YOKE_EMULATED", "speed=3"),
      of_variable("sets a variable that does not exist", {"YOKE_SPEED=3: no such variable"}, "YOKE_SPEED",
                  "3"),
      of_options("writes the trace to a folder", {"--it /tmp"}, {.trace = option("/tmp")}),
      of_options("writes the trace into a folder that is not there", {"--it /dev/null/at/all"},
                 {.trace = option("/dev/null/at/all")}),
      {"gives the configuration of a runtime as an empty text",
       kind::config,
       {"runtime(\"\")"},
       [](victim&) { const runtime other{""}; }},
  };
}

}  // namespace attack
