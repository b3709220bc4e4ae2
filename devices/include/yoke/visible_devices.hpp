// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which of the GPUs of a machine a process sees, and in what order: what drivers read from the environment,
/// without starting one.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/topology.hpp>

namespace yoke {

/// How the driver of a backend's devices numbers them.
struct driver_numbering {
  accelerator_kind kind = accelerator_kind::other;  ///< of these devices, on the bus
  /// Variables that choose devices and order them, as "2,0": each among those that the one before has left.
  std::vector<const char*> lists{};
  /// NAME and VALUE of the variable under which devices of different models are numbered as the bus has
  /// them; null where they always are.
  const char* by_bus_name = nullptr;
  const char* by_bus_value = nullptr;
};

/// Of `n` devices of the driver those that this process sees, in its order. Empty where a list holds names.
/// Drivers stop at the first number that they do not have.
std::vector<std::size_t> visible_positions(const driver_numbering& of, std::size_t n);
/// What the driver calls device `ordinal` of this process without the lists: "3", or the name in a list.
std::string name_of_visible(const driver_numbering& of, int ordinal);

/// While it lives, a driver that wakes shows this process the first `n` of its devices and leaves the others
/// alone. Then its list is what it was, for who is started later; a driver that is awake never reads it
/// again. Of several at a time each waits for the one before.
class first_devices {
 public:
  first_devices(const driver_numbering& of, int n);
  first_devices(const first_devices&) = delete;
  first_devices& operator=(const first_devices&) = delete;
  ~first_devices();

 private:
  std::unique_lock<std::mutex> alone_;
  const char* list_ = nullptr;  ///< null where a driver has none
  std::optional<std::string> before_{};
};

namespace detail {
/// "2,GPU-5b3c" as its items; "" has none.
std::vector<std::string_view> items_of_list(std::string_view list);
/// "2" as 2; nothing for a name, as "GPU-5b3c" or "-1".
std::optional<std::size_t> position_of(std::string_view item);
/// Files whose names are `stem` and a number: "/dev/nvidia" has /dev/nvidia0, and not /dev/nvidiactl.
int count_numbered_files(std::string_view stem);
}  // namespace detail

}  // namespace yoke
