#include "info_links.hpp"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/links.hpp>
#include <yoke/settings.hpp>

namespace tools {

namespace {

using devices = std::vector<std::unique_ptr<yoke::device>>;

std::vector<yoke::device_request> all_devices() {
  std::vector<yoke::device_request> found;
  for (const yoke::backend& each : yoke::all_backends()) {
    std::string why;
    const int count = each.automatic ? each.count(why) : 0;
    for (int i = 0; i < count; ++i) found.push_back({.of = &each, .index = i});
  }
  return found;
}

std::vector<yoke::device_request> named_devices(const yoke::settings& variables) {
  if (!variables.devices) return all_devices();
  const yoke::device_list named = yoke::parse_device_list(*variables.devices);
  return named.automatic ? all_devices() : named.requests;
}

devices open_devices(bool as_named) {
  const yoke::settings variables = yoke::settings::from_environment();
  devices opened;
  for (const yoke::device_request& each : as_named ? named_devices(variables) : all_devices()) {
    const auto& options = each.of->options;
    opened.push_back(each.of->open(each, options ? variables.find(options->variable.name) : std::nullopt));
  }
  return opened;
}

}  // namespace

json links_here(bool measured) {
  const devices opened = open_devices(measured);
  std::vector<yoke::device*> all;
  for (const auto& each : opened) all.push_back(each.get());
  yoke::link_table links{all};
  if (measured) links.measure(all);
  const auto name = [&](int space) {
    return space == 0 ? std::string{"host"} : opened[static_cast<std::size_t>(space) - 1]->info().name;
  };
  json told = json::array();
  for (const yoke::memory_link& each : links.all()) {
    told.push_back({{"from", name(each.from)}, {"to", name(each.to)}, {"kind", name_of(each.kind)}});
    if (measured) told.back()["bytes_per_s"] = each.bandwidth;
  }
  return told;
}

void print_links(const json& links) {
  if (links.empty()) return;
  fmt::print("links\n");
  for (const json& each : links) {
    const std::string rate = each.contains("bytes_per_s")
                                 ? fmt::format(", {:.4g} GB/s", 1e-9 * each["bytes_per_s"].get<double>())
                                 : "";
    fmt::print("  {} to {}  {}{}\n", each["from"].get<std::string>(), each["to"].get<std::string>(),
               each["kind"].get<std::string>(), rate);
  }
}

}  // namespace tools
