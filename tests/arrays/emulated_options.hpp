#pragma once

#include <algorithm>
#include <string>
#include <support/variable.hpp>

#include <yoke/runtime.hpp>

/// Options of emulated devices, for runtimes made while it lives.
class emulated_options {
 public:
  explicit emulated_options(const std::string& options) : set_{"YOKE_EMULATED", options} {}

 private:
  support::variable set_;
};

inline bool is_emulated(const yoke::device* dev) { return dev->info().emulated; }

/// Whether the devices of runtimes here heed such options: a GPU neither fails nor has less memory for them.
inline bool heeds_options(const yoke::runtime& rt) {
  return !rt.devices().empty() && std::ranges::all_of(rt.devices(), is_emulated);
}
