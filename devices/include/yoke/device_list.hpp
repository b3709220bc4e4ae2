#pragma once
/// YOKE_DEVICES: which devices the GPU CUs take, in order.

#include <vector>

#include <yoke/settings.hpp>

namespace yoke {

enum class backend_kind { cuda, hip, emulated };

/// One device (or a part of one) that YOKE_DEVICES names. `parts`, `part` and `sms` are 0 where not given.
struct device_request {
  backend_kind backend = backend_kind::emulated;
  int index = 0;  ///< among the devices of its backend
  int parts = 0;  ///< "/parts": the device is split into so many
  int part = 0;   ///< ":part", 0-based; every part when parts > 0 and this is -1
  int sms = 0;    ///< "@sms"
};

/// auto | none | item{;item}, item = cuda:i{,i} | hip:i{,i} | emulated:count, i = index[/parts[:part] |
/// @sms].
struct device_list {
  bool automatic = false;                ///< "auto": every usable vendor device; never an emulated one
  std::vector<device_request> requests;  ///< empty for auto and none
};

/// Errors: config_error naming the value, its origin, the position of the mistake and the grammar.
device_list parse_device_list(const sourced& text);

}  // namespace yoke
