// A whole backend: three devices that work on the host at once, named by their colours, one of whose
// properties is an option. Nothing outside this folder but the line in the list knows of it.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <support/fake_device.hpp>

#include <yoke/backends.hpp>

namespace yoke::detail {

namespace {

constexpr std::array<std::string_view, 3> colours{"red", "green", "blue"};

int count(std::string&) { return static_cast<int>(colours.size()); }

std::size_t processors_in(const sourced& options) {
  text_parser in{options, "processors=n"};
  if (in.word() != "processors") in.fail_at(0, "there is no such option");
  in.expect('=', "'='");
  const int n = in.number("the number of processors", 1, 99);
  in.expect_end();
  return static_cast<std::size_t>(n);
}

void check(const sourced& options) { static_cast<void>(processors_in(options)); }

std::unique_ptr<device> open(const device_request& request, const std::optional<sourced>& options) {
  const sourced text = options.value_or(sourced{"processors=4", "default"});
  return std::make_unique<support::fake_device>(request.index, "toy", static_cast<int>(processors_in(text)));
}

void parse_colours(text_parser& in, const backend& self, std::vector<device_request>& list) {
  in.expect(':', "':' and a colour");
  do {
    const std::size_t start = in.position();
    const std::string_view colour = in.word();
    const auto found = std::ranges::find(colours, colour);
    if (found == colours.end()) in.fail_at(start, fmt::format("'{}' is no colour", colour));
    list.push_back({.of = &self, .index = static_cast<int>(found - colours.begin())});
  } while (in.accept('+'));
}

}  // namespace

backend toy_backend() {
  return {
      .name = "toy",
      .automatic = true,
      .emulated = true,
      .items = {.accepted = ":c{+c}", .terms = "c = red | green | blue", .parse = parse_colours},
      .driver_files = {"/dev/null"},
      .opening_s = 0.5,
      .opening_another_s = 0.5,
      .options = backend_options{{"YOKE_TOY", "processors=n", "a property of toys"}, "processors=4", check},
      .count_devices = count,
      .open_device = open};
}

}  // namespace yoke::detail
