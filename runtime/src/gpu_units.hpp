#pragma once
/// The devices of a runtime: which of YOKE_DEVICES its GPU CUs take, opened, and the memory spaces they make.

#include "device_turns.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/configuration.hpp>
#include <yoke/device.hpp>
#include <yoke/device_list.hpp>
#include <yoke/settings.hpp>

namespace yoke::detail {

/// The items of a device list, in order.
struct wanted_devices {
  sourced text;
  bool automatic = false;
  std::vector<device_request> items{};
  std::string found{};  ///< what `auto` met, for messages: "cuda: no driver; hip: not built"

  std::vector<std::string> notes{};  ///< of those that `auto` met and cannot open
  device_turns turns{};              ///< of those that `auto` meets
  std::string note_of_turns{};

  /// Resolves `auto`: every device of a vendor that can be opened. No more are tried than are `wanted`; all
  /// where nobody said how many. `others_too`: else drivers that did not wake yet find no more than are
  /// wanted, for each takes its time.
  void find_automatic(std::optional<int> wanted = {}, bool others_too = true);
  /// How many `auto` would meet, where that can be told without waking a driver.
  std::optional<int> seen() const;
  struct opening_times {
    seconds first = 0, another = 0;
  };
  /// What `auto` takes until its first device is open, and for each further one; nothing where devices were
  /// named or no driver seems there.
  std::optional<opening_times> opening() const;
  int size() const { return static_cast<int>(items.size()); }
  int n_vendor() const;
  /// Whether the first `n` are: then their managing threads may share CPUs.
  bool all_emulated(int n) const;
  /// "auto: cuda:0,cuda:1": the list and what the first `n` GPU CUs make of it.
  std::string in_force(int n) const;
};

/// Errors: config_error for a malformed list.
wanted_devices list_devices(const sourced& text);
/// With what ranks beside this one leave to it.
wanted_devices list_devices(const sourced& text, device_turns turns);
/// Errors: config_error for fewer items than GPU CUs, saying how to name more.
void check_enough_devices(const configuration& shape, const sourced& cus, const wanted_devices& wanted);

/// The devices of the GPU CUs.
struct gpu_units {
  std::vector<std::unique_ptr<device>> devices;  ///< [s-1]: of memory space s
  std::vector<std::unique_ptr<device>> slices;   ///< of those devices; they end first
  std::vector<device*> of_unit;                  ///< of each GPU CU: a device or a slice
  std::vector<space_id> spaces;                  ///< of each GPU CU
  std::vector<std::string> notes;                ///< devices that no GPU CU takes

  /// devices, as the rooms below take them.
  std::vector<device*> pointers() const;
};

/// The options in force of every backend that has some.
struct device_options {
  std::map<const backend*, sourced> texts{};

  std::optional<sourced> of(const backend& which) const;
};

/// A variable beats the backend's default. Errors: config_error for an option that a backend refuses, also
/// where none of its devices is used.
device_options options_from(const settings& variables);

/// Opens the first G items of `wanted`; a device named twice is opened once. Slices of one device share
/// its memory space. Errors: what the backend throws.
gpu_units open_devices(const configuration& shape, const wanted_devices& wanted,
                       const device_options& options);

}  // namespace yoke::detail
