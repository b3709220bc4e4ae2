// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// YOKE_DEVICES: which devices the GPU CUs take, in order.

#include <string>
#include <vector>

#include <yoke/settings.hpp>

namespace yoke {

struct backend;

/// What one GPU CU takes: a device, a slice of one, or one of several memory spaces on it. What is not given
/// is 0.
struct device_request {
  const backend* of = nullptr;  ///< the kind of device; what a backend itself opens is always one of its own
  int index = 0;                ///< among the devices of its backend
  int parts = 0;                ///< "/parts": a slice, one of so many equal ones
  int part = 0;                 ///< ":part", 0-based
  int sms = 0;                  ///< "@sms": a slice of at least so many processors
  int spaces = 0;  ///< "*spaces": the device is opened as so many memory spaces; this is one of them
  int space = 0;   ///< which, 0-based

  bool is_slice() const { return parts > 0 || sms > 0; }
};

/// As messages and reports call it: "cuda:0", "cuda:0/4:1", "cuda:0@8", "cuda:0*2:1".
std::string name_of(const device_request& request);
/// The same of the device that it is on, "cuda:0".
std::string name_of_device(const device_request& request);

/// auto | none | item{;item}; an item is the name of a backend, and what the backend says to come after it.
struct device_list {
  bool automatic = false;                ///< "auto": every usable device of the backends that take part
  std::vector<device_request> requests;  ///< empty for auto and none
};

/// Errors: config_error naming the value, its origin, the position of the mistake and the grammar; for the
/// value "help" the grammar alone.
device_list parse_device_list(const sourced& text);

}  // namespace yoke
