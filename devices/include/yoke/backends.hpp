#pragma once
/// The list of backends. Adding one: a folder in devices, a line in src/backends.cpp, a line in
/// tests/conformance.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <yoke/device.hpp>
#include <yoke/device_list.hpp>
#include <yoke/settings.hpp>

namespace yoke {

/// What one vendor offers in this process.
struct backend {
  backend_kind kind;
  std::string_view name;  ///< "cuda", "hip", "emulated"
  bool built;             ///< false: this build has only a stub that says so
  /// Number of usable devices; 0 with a reason in `why` without a driver or where it was not built. Never
  /// throws.
  int (*count)(std::string& why);
  /// Opens one; `options` is the text of this backend's own options, its defaults where not given. Errors:
  /// config_error for an index that does not exist or a text that check_options refuses, device_error from
  /// the driver.
  std::unique_ptr<device> (*open)(const device_request& request, const std::optional<sourced>& options);
  /// Null where a backend has no options. Errors: config_error naming the value, its origin and what is
  /// accepted.
  void (*check_options)(const sourced& options) = nullptr;
};

std::span<const backend> all_backends();
const backend& backend_of(backend_kind kind);

namespace detail {
/// One for each line of the list. Where a vendor is not chosen in YOKE_GPU, its function comes from
/// src/no_<vendor>.cpp and gives a backend that says so.
backend cuda_backend();
backend hip_backend();
backend emulated_backend();
}  // namespace detail

}  // namespace yoke
