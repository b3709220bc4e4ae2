// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The backends. Each is a folder in devices that makes one record, and a line in src/backend_list.cpp;
/// nothing else knows which there are.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/device_list.hpp>
#include <yoke/parse.hpp>
#include <yoke/settings.hpp>
#include <yoke/visible_devices.hpp>

namespace yoke {

/// How YOKE_DEVICES names devices of a backend.
struct item_grammar {
  std::string_view accepted;  ///< after the name: ":i{,i}", ":count"
  std::string_view terms{};   ///< what a word of it means, "i = index[/parts[:part]]"; often nothing
  /// Reads what follows the name and appends the devices; `list` has those of the items before. Errors:
  /// config_error, through `in`.
  void (*parse)(detail::text_parser& in, const backend& self, std::vector<device_request>& list) = nullptr;
};

/// The variable with the options of a backend's devices, as YOKE_EMULATED.
struct backend_options {
  setting_info variable;
  std::string_view defaults;  ///< what holds where nothing is given, as it would be written
  /// Errors: config_error naming the value, its origin and what is accepted.
  void (*check)(const sourced& options) = nullptr;
};

/// What one kind of device is in this process.
struct backend {
  std::string_view name;  ///< as in YOKE_DEVICES: "cuda", "hip", "emulated"
  /// Why this build does not have it, and what to do; empty where it has. Then nothing is counted or opened.
  std::string_view missing{};
  bool automatic = false;  ///< whether `auto` takes its devices
  bool emulated = false;   ///< kernels run on the host's CPUs, which the threads that manage them may share
  item_grammar items{};
  std::optional<driver_numbering> numbering{};  ///< of devices on the bus
  /// Of these one is there where the kernel has a driver; asking so wakes nobody.
  std::vector<std::string_view> driver_files{};
  /// Where the kernel has a file for each device, what stands before its number: "/dev/nvidia".
  std::string_view file_of_device{};
  double opening_s = 0;          ///< seconds that a process waits for its first device, about
  double opening_another_s = 0;  ///< and for each that its driver finds besides, opened or not
  std::optional<backend_options> options{};
  /// What count and open do where the build has the backend.
  int (*count_devices)(std::string& why) = nullptr;
  std::unique_ptr<device> (*open_device)(const device_request& request,
                                         const std::optional<sourced>& options) = nullptr;
  /// What refuses does; null where devices that are there can be opened.
  std::string (*refuse_device)(int index) = nullptr;
  /// What split does; null where devices have no slices.
  std::vector<std::unique_ptr<device>> (*split_device)(device& whole,
                                                       std::span<const device_request> requests) = nullptr;

  bool built() const { return missing.empty(); }
  /// Number of usable devices; 0 with a reason in `why` without a driver or where it was not built. Never
  /// throws.
  int count(std::string& why) const;
  /// Why a device that is there cannot be opened now (another process has it for itself, it is to run
  /// nothing, its memory is full); empty where it can. On a GPU that makes the context which open needs.
  /// Never throws.
  std::string refuses(int index) const;
  /// Opens one, in whole; `options` is the text of this backend's own options, its defaults where not given.
  /// Errors: config_error for an index that does not exist, a text that is no option, or a backend that was
  /// not built; device_error from the driver.
  std::unique_ptr<device> open(const device_request& request,
                               const std::optional<sourced>& options = {}) const;
  /// The slices of `whole`, which open has given and which must live longer, in the order of `requests`. All
  /// slices of a device at once: later ones might be of the same processors. They have its memory, and
  /// streams of their own. Errors: config_error with what the device can give; device_error from the driver.
  std::vector<std::unique_ptr<device>> split(device& whole, std::span<const device_request> requests) const;
};

/// In the order of messages and of `auto`. Always the same records.
std::span<const backend> all_backends();
/// nullptr where no backend has that name.
const backend* find_backend(std::string_view name);
/// The variables of all options.
std::vector<setting_info> backend_settings();

namespace detail {
/// What may follow the number of a device: "[/parts[:part] | @sms | *spaces]". Appends a request for the
/// device, for each slice, or for each memory space. Errors: config_error, through `in`.
void parse_division(text_parser& in, const device_request& device, std::vector<device_request>& list);
/// ":i{,i}", each index with its division. Errors: config_error, through `in`, also where an entry overlaps
/// an earlier one of the list.
void parse_numbered_devices(text_parser& in, const backend& self, std::vector<device_request>& list);

/// The list itself (src/backend_list.cpp); asked once.
std::vector<backend> listed_backends();
}  // namespace detail

}  // namespace yoke
