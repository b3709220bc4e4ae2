#include "gpu_units.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <system_error>
#include <utility>

#include <yoke/backends.hpp>
#include <yoke/device_arena.hpp>
#include <yoke/error.hpp>
#include <yoke/visible_devices.hpp>

namespace yoke::detail {

namespace {

bool is_emulated(const device_request& item) { return item.of->emulated; }

/// Whether its driver seems to be there.
bool may_open(const backend& each) {
  std::error_code ignored;
  const auto is_there = [&](std::string_view file) { return std::filesystem::exists(file, ignored); };
  return each.automatic && each.built() && std::ranges::any_of(each.driver_files, is_there);
}

/// "32 of 132 processors", or the share where their number is not known.
std::string grant(const device_info& slice, const device_info& whole) {
  if (whole.processors == 1) return fmt::format("{:.3g} of it", slice.share);
  return fmt::format("{} of {} processors", slice.processors, whole.processors);
}

/// Whether they are one memory space.
bool is_same_memory(const device_request& a, const device_request& b) {
  return a.of == b.of && a.index == b.index && a.space == b.space;
}

/// Opens what GPU CUs take, one after the other; slices at the end.
class device_opener {
 public:
  explicit device_opener(const device_options& options) : options_{options} {}

  void add(const device_request& item) {
    const auto known =
        std::ranges::find_if(memories_, [&](const memory& m) { return is_same_memory(m.of, item); });
    const auto at = static_cast<std::size_t>(known - memories_.begin());
    if (known == memories_.end()) {
      memories_.push_back({.of = item});
      opened_.devices.push_back(item.spaces > 0 ? open_space(item)
                                                : item.of->open(item, options_.of(*item.of)));
    }
    if (item.is_slice()) {
      memories_[at].slices.push_back(item);
      memories_[at].takers.push_back(opened_.of_unit.size());
    }
    opened_.of_unit.push_back(opened_.devices[at].get());
    opened_.spaces.push_back(space_id{static_cast<int>(at) + 1});
  }

  gpu_units finish() {
    for (std::size_t at = 0; at < memories_.size(); ++at)
      if (!memories_[at].slices.empty()) split(*opened_.devices[at], memories_[at]);
    return std::move(opened_);
  }

 private:
  struct memory {
    device_request of;
    std::vector<device_request> slices{};
    std::vector<std::size_t> takers{};  ///< of the slices, among GPU CUs
  };

  std::unique_ptr<device> open_space(const device_request& item) {
    std::shared_ptr<device>& whole = wholes_[{item.of, item.index}];
    if (!whole) {
      whole = item.of->open(item, options_.of(*item.of));
      opened_.notes.push_back(
          fmt::format("{} is opened as {} memory spaces, each with an equal part of its memory: made for "
                      "tests of what goes "
                      "between GPUs, where there is one; no time taken so is that of several GPUs",
                      name_of_device(item), item.spaces));
    }
    return std::make_unique<device_arena>(whole, item);
  }

  void split(device& whole, const memory& of) {
    std::vector<std::unique_ptr<device>> slices = of.of.of->split(whole, of.slices);
    std::string text;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      text += fmt::format("{}{} has {}", i == 0 ? "" : ", ", slices[i]->info().name,
                          grant(slices[i]->info(), whole.info()));
      opened_.of_unit[of.takers[i]] = slices[i].get();
      opened_.slices.push_back(std::move(slices[i]));
    }
    opened_.notes.push_back(fmt::format("{} is used in slices: {}", whole.info().name, text));
  }

  const device_options& options_;
  gpu_units opened_;
  std::vector<memory> memories_;                                              ///< [s-1]: memory space s
  std::map<std::pair<const backend*, int>, std::shared_ptr<device>> wholes_;  ///< that are opened as several
};

}  // namespace

void wanted_devices::find_automatic(std::optional<int> wanted, bool others_too) {
  if (!automatic) return;
  std::vector<device_request> met;
  const auto is_usable = [&](const device_request& item) {
    if (wanted && size() >= *wanted) return true;  // nobody opens it
    const std::string why = item.of->refuses(item.index);
    if (why.empty()) return true;
    notes.push_back(fmt::format("{} is left out: it cannot be opened now: {}", name_of_device(item), why));
    return false;
  };
  for (const backend& each : all_backends()) {
    if (!each.automatic) continue;
    std::optional<first_devices> shown;
    if (wanted && !others_too && each.numbering)
      shown.emplace(*each.numbering, std::max(*wanted - static_cast<int>(met.size()), 0));
    std::string why;
    const int count = each.count(why);
    for (int i = 0; i < count; ++i) met.push_back({.of = &each, .index = i});
    if (!found.empty()) found += "; ";
    found += count > 0 ? fmt::format("{}: {}", each.name, count) : fmt::format("{}: {}", each.name, why);
  }
  note_of_turns = turns.note(met);
  for (const device_request& each : turns.taken(met))
    if (is_usable(each)) items.push_back(each);
  for (const std::string& note : notes) found += "; " + note;
}

std::optional<int> wanted_devices::seen() const {
  int n = 0;
  for (const backend& each : all_backends()) {
    if (!may_open(each)) continue;
    const int files = each.file_of_device.empty() ? 0 : detail::count_numbered_files(each.file_of_device);
    const std::size_t visible =
        each.numbering ? visible_positions(*each.numbering, static_cast<std::size_t>(files)).size() : 0;
    if (visible == 0) return std::nullopt;
    n += static_cast<int>(visible);
  }
  return n;
}

std::optional<wanted_devices::opening_times> wanted_devices::opening() const {
  std::optional<opening_times> least;
  for (const backend& each : all_backends())
    if (automatic && may_open(each) && (!least || each.opening_s < least->first))
      least = {each.opening_s, each.opening_another_s};
  return least;
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
  return {.text = text, .automatic = list.automatic, .items = std::move(list.requests)};
}

wanted_devices list_devices(const sourced& text, device_turns turns) {
  wanted_devices all = list_devices(text);
  all.turns = std::move(turns);
  all.note_of_turns = all.turns.note(all.items);
  all.items = all.turns.taken(all.items);
  return all;
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

namespace {

/// Backends say which device they cannot give; who asked for it stands before that.
gpu_units open_first(int n, const wanted_devices& wanted, const device_options& options) {
  device_opener opener{options};
  try {
    for (int i = 0; i < n; ++i) opener.add(wanted.items[static_cast<std::size_t>(i)]);
    return opener.finish();
  } catch (const config_error& problem) {
    throw config_error{fmt::format("{}: {}", wanted.text.quoted(), problem.what())};
  }
}

}  // namespace

gpu_units open_devices(const configuration& shape, const wanted_devices& wanted,
                       const device_options& options) {
  gpu_units opened = open_first(shape.gpu_units, wanted, options);
  opened.notes.insert(opened.notes.begin(), wanted.notes.begin(), wanted.notes.end());
  for (int i = shape.gpu_units; i < wanted.size(); ++i) {
    opened.notes.push_back(fmt::format("{} is left out: {} has {} GPU CUs",
                                       name_of(wanted.items[static_cast<std::size_t>(i)]), shape.text(),
                                       shape.gpu_units));
  }
  return opened;
}

}  // namespace yoke::detail
