#include <fmt/format.h>
#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/backends.hpp>
#include <yoke/text.hpp>

using support::message_of;
using yoke::device_list;
using yoke::device_request;

namespace {

device_list parse(const std::string& text) { return yoke::parse_device_list({text, "YOKE_DEVICES"}); }

/// "[cuda:0/4:1]" for every request.
std::string listed(const device_list& list) {
  std::string text = list.automatic ? "auto" : "";
  for (const device_request& each : list.requests) {
    text += "[" + yoke::name_of(each) + "]";
  }
  return text;
}

void check_mistake(const std::string& text, int position, const std::string& reason) {
  const std::string message = message_of([&] { parse(text); });
  CHECK_THAT(message, Catch::StartsWith(fmt::format(
                          "YOKE_DEVICES={}: position {}: ", yoke::detail::printable(text), position)));
  CHECK_THAT(message, Catch::Contains(reason) && Catch::Contains("accepted: auto | none | item{;item}"));
}

}  // namespace

TEST_CASE("a device list is read as it is written", "[devices]") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"auto", "auto"},
      {"none", ""},
      {"cuda:0", "[cuda:0]"},
      {"cuda:1,0", "[cuda:1][cuda:0]"},
      {"hip:3", "[hip:3]"},
      {"emulated:2", "[emulated:0][emulated:1]"},
      {"emulated:1;emulated:1", "[emulated:0][emulated:1]"},
      {"cuda:0/4:1,0/4:3", "[cuda:0/4:1][cuda:0/4:3]"},
      {"cuda:0/4", "[cuda:0/4:0][cuda:0/4:1][cuda:0/4:2][cuda:0/4:3]"},
      {"cuda:0@8,0@16", "[cuda:0@8][cuda:0@16]"},
      {"cuda:0*2,1", "[cuda:0*2:0][cuda:0*2:1][cuda:1]"},
      {"emulated:2/2;emulated:1@3",
       "[emulated:0/2:0][emulated:0/2:1][emulated:1/2:0][emulated:1/2:1][emulated:2@3]"},
      {"emulated:1/4:3;emulated:1*2", "[emulated:0/4:3][emulated:1*2:0][emulated:1*2:1]"},
      {"cuda:0/2:0,1;emulated:1;cuda:0/2:1", "[cuda:0/2:0][cuda:1][emulated:0][cuda:0/2:1]"},
  }));
  CHECK(listed(parse(text)) == expected);
}

TEST_CASE("a mistake in a device list is reported with its position", "[devices]") {
  const auto [text, position, reason] = GENERATE(table<std::string, int, std::string>({
      {"", 1, "expected a device list, found the end"},
      {"fpga:0", 1, "'fpga' is no kind of device"},
      {":0", 1, "expected a kind of device, found ':'"},
      {"cuda", 5, "expected ':' and an index, found the end"},
      {"cuda:", 6, "expected a device index, found the end"},
      {"cuda:x", 6, "expected a device index, found 'x'"},
      {"cuda:0/", 8, "expected the number of parts"},
      {"cuda:0/0", 8, "the number of parts must be from 1"},
      {"cuda:0/4:4", 10, "the part, counted from 0, must be from 0 to 3"},
      {"cuda:0@0", 8, "the number of SMs must be from 1"},
      {"cuda:0/4:1@8", 11, "expected ';' or the end, found '@'"},
      {"cuda:0/257", 8, "the number of parts must be from 1 to 256"},
      {"cuda:0*0", 8, "the number of memory spaces must be from 1"},
      {"emulated:1/0", 12, "the number of parts must be from 1"},
      {"emulated:2/4:4", 14, "the part, counted from 0, must be from 0 to 3"},
      {"emulated:1@0", 12, "the number of SMs must be from 1"},
      {"cuda:0,", 8, "expected a device index, found the end"},
      {"cuda:0;", 8, "expected a kind of device, found the end"},
      {"cuda:0 ", 7, "expected ';' or the end, found ' '"},
      {"emulated:0", 10, "the count of emulated devices must be from 1"},
      {"emulated:99999999999999999999", 10, "the count of emulated devices must be from 1"},
      {"cuda:0\x01", 7, "found byte 0x01"},
  }));
  check_mistake(text, position, reason);
}

TEST_CASE("devices that cannot be had together are reported with the position of the later one",
          "[devices]") {
  const auto [text, position, reason] = GENERATE(table<std::string, int, std::string>({
      {"emulated:64;emulated:1", 22, "at most 64 emulated devices"},
      {"auto;cuda:0", 5, "auto and none stand alone"},
      {"cuda:0;none", 8, "auto and none stand alone"},
      {"cuda:0,0", 8, "overlaps"},
      {"cuda:0,0/2:1", 8, "overlaps"},
      {"cuda:0/2:1,0/2:1", 12, "overlaps"},
      {"cuda:0/2:0,0/4:3", 12, "overlaps"},
      {"cuda:0/2,0/2:0", 10, "overlaps"},
      {"cuda:0/2:0,0@8", 12, "overlaps"},
      {"cuda:0*2,0", 10, "overlaps"},
      {"cuda:0/2:0,0*2", 12, "overlaps"},
      {"cuda:0*2,0*2", 10, "overlaps"},
  }));
  check_mistake(text, position, reason);
}

TEST_CASE("no text makes the device list parser throw anything but a config_error", "[devices]") {
  const int accepted = support::accepted_texts(
      {"cuda:", "hip:", "emulated:", "auto", "none", "0", "1", "2", ",", ";", "/", ":", "@", "*"}, parse);
  CHECK(accepted > 100);
}
