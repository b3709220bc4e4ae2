#pragma once
/// YOKE_DEVICES: which devices the GPU CUs take, in order.

#include <string>
#include <vector>

#include <yoke/settings.hpp>

namespace yoke {

struct backend;

/// One device (or a part of one) that YOKE_DEVICES names. `parts`, `part` and `sms` are 0 where not given.
struct device_request {
  const backend* of = nullptr;  ///< the kind of device; what a backend itself opens is always one of its own
  int index = 0;                ///< among the devices of its backend
  int parts = 0;                ///< "/parts": the device is split into so many
  int part = 0;                 ///< ":part", 0-based; every part when parts > 0 and this is -1
  int sms = 0;                  ///< "@sms"
};

/// auto | none | item{;item}; an item is the name of a backend, and what the backend says to come after it.
struct device_list {
  bool automatic = false;                ///< "auto": every usable device of the backends that take part
  std::vector<device_request> requests;  ///< empty for auto and none
};

/// Errors: config_error naming the value, its origin, the position of the mistake and the grammar; for the
/// value "help" the grammar alone.
device_list parse_device_list(const sourced& text);

/// What parse_device_list accepts, in one line: "auto | none | item{;item}, item = cuda:i{,i} | …".
const std::string& device_list_grammar();

}  // namespace yoke
