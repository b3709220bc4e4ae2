#pragma once
/// What lies between the memories of this machine.

#include "json_fields.hpp"

namespace tools {

/// Of the host and all GPUs: from, to and kind. `measured`: of the devices that YOKE_DEVICES names, where it
/// names some, and bytes_per_s too. Empty where there is no device. Errors: those of opening devices and of
/// copies.
json links_here(bool measured);
void print_links(const json& links);

}  // namespace tools
