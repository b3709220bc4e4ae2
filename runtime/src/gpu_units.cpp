#include "gpu_units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

bool is_emulated(const device_request& item) { return item.of->emulated; }

std::string name_of(const device_request& item) { return fmt::format("{}:{}", item.of->name, item.index); }

void refuse_slices(const sourced& text, const device_request& item) {
  if (item.parts == 0 && item.sms == 0) return;
  throw config_error{fmt::format("{}: slices are not supported by this version; name whole devices, as {}",
                                 text.quoted(), name_of(item))};
}

bool same_device(const device_request& a, const device_request& b) {
  return a.of == b.of && a.index == b.index;
}

}  // namespace

void wanted_devices::find_automatic() {
  if (!automatic) return;
  for (const backend& each : all_backends()) {
    if (!each.automatic) continue;
    std::string why;
    const int count = each.count(why);
    for (int i = 0; i < count; ++i) items.push_back({.of = &each, .index = i});
    if (!found.empty()) found += "; ";
    found += count > 0 ? fmt::format("{}: {}", each.name, count) : fmt::format("{}: {}", each.name, why);
  }
}

int wanted_devices::n_vendor() const {
  return size() - static_cast<int>(std::ranges::count_if(items, is_emulated));
}

bool wanted_devices::all_emulated(int n) const {
  return std::ranges::all_of(std::span{items}.first(static_cast<std::size_t>(n)), is_emulated);
}

std::string wanted_devices::in_force(int n) const {
  std::string taken;
  for (const device_request& item : std::span{items}.first(static_cast<std::size_t>(n))) {
    taken += (taken.empty() ? "" : ", ") + name_of(item);
  }
  return fmt::format("{} ({})", text.value, taken.empty() ? "no device in use" : "in use: " + taken);
}

wanted_devices list_devices(const sourced& text) {
  device_list list = parse_device_list(text);
  for (const device_request& item : list.requests) refuse_slices(text, item);
  return {.text = text, .automatic = list.automatic, .items = std::move(list.requests)};
}

void check_enough_devices(const configuration& shape, const sourced& cus, const wanted_devices& wanted) {
  const int wanted_units = shape.gpu_units;
  if (wanted_units <= wanted.size()) return;
  throw config_error{
      fmt::format("{}: {} GPU CU{} asked for, but {} has {} device{}{}; name one for each, as "
                  "YOKE_DEVICES=emulated:{} or "
                  "--devices emulated:{} for emulated ones, or ask for fewer GPU CUs",
                  cus.quoted(), wanted_units, wanted_units == 1 ? "" : "s", wanted.text.quoted(),
                  wanted.size(), wanted.size() == 1 ? "" : "s",
                  wanted.found.empty() ? "" : " (" + wanted.found + ")", wanted_units, wanted_units)};
}

std::optional<sourced> device_options::of(const backend& which) const {
  const auto found = texts.find(&which);
  return found == texts.end() ? std::nullopt : std::optional{found->second};
}

device_options options_from(const settings& variables) {
  device_options all;
  for (const backend& each : all_backends()) {
    if (!each.options) continue;
    const auto given = variables.find(each.options->variable.name);
    const sourced text = given.value_or(sourced{std::string{each.options->defaults}, "default"});
    each.options->check(text);
    all.texts.emplace(&each, text);
  }
  return all;
}

std::vector<device*> gpu_units::pointers() const {
  std::vector<device*> all;
  for (const auto& dev : devices) all.push_back(dev.get());
  return all;
}

gpu_units open_devices(const configuration& shape, const wanted_devices& wanted,
                       const device_options& options) {
  gpu_units opened;
  std::vector<device_request> kept;
  for (int i = 0; i < shape.gpu_units; ++i) {
    const device_request& item = wanted.items[static_cast<std::size_t>(i)];
    auto at =
        std::ranges::find_if(kept, [&](const device_request& other) { return same_device(item, other); });
    const auto position = static_cast<std::size_t>(at - kept.begin());
    if (at == kept.end()) {
      opened.devices.push_back(item.of->open(item, options.of(*item.of)));
      kept.push_back(item);
    }
    opened.of_unit.push_back(opened.devices[position].get());
    opened.spaces.push_back(space_id{static_cast<int>(position) + 1});
  }
  for (int i = shape.gpu_units; i < wanted.size(); ++i) {
    opened.notes.push_back(fmt::format("{} is left out: {} has {} GPU CUs",
                                       name_of(wanted.items[static_cast<std::size_t>(i)]), shape.text(),
                                       shape.gpu_units));
  }
  return opened;
}

}  // namespace yoke::detail
