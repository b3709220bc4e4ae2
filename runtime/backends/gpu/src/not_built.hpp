#pragma once

#include "gpu_backend.hpp"

#include <memory>
#include <string>

#include <yoke/error.hpp>

namespace yoke::gpu {

template <backend_kind Kind>
inline constexpr const char* name_of = Kind == backend_kind::cuda ? "cuda" : "hip";

template <backend_kind Kind>
std::string reason_not_built() {
  const std::string name = name_of<Kind>;
  return "this build has no " + name + " backend; configure with -DYOKE_GPU=" + name;
}

/// The entry of a vendor that this build was not made for.
template <backend_kind Kind>
backend backend_not_built() {
  return {.kind = Kind,
          .name = name_of<Kind>,
          .built = false,
          .count =
              [](std::string& why) {
                why = reason_not_built<Kind>();
                return 0;
              },
          .open = [](const device_request&, const emulated_options&) -> std::unique_ptr<device> {
            throw config_error{reason_not_built<Kind>()};
          }};
}

}  // namespace yoke::gpu
