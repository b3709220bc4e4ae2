// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a schedule is made from its name and options. A program registers its own (scheduling.hpp), a shared
/// object offers its own (schedule_plugin.hpp):
///
///   yoke::scheduling::register_schedule(
///       {.name = "mine", .options = "chunk=k", .rule = "hands out chunks of k tasks"},
///       [](const auto& options, const yoke::workload& work, std::span<const yoke::unit> units) {
///         return std::make_unique<my_schedule>(work, units, options.count("chunk", 1));
///       });

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <yoke/schedule.hpp>

namespace yoke {

namespace scheduling {

/// One schedule by name, for --help and messages.
struct schedule_info {
  std::string_view name;
  std::string_view options = "";  ///< what it accepts: "chunk=k, gpu_chunk=k|chunk"; others are refused
  std::string_view rule = "";     ///< one sentence
};

/// The options that follow the name, "chunk=4,pcf=auto". Errors: config_error, which names value, origin and
/// position and says what is accepted.
class schedule_options {
 public:
  virtual ~schedule_options() = default;
  /// Whether the option was given, with any value.
  virtual bool has(std::string_view option) const = 0;
  /// Whether the option was given as exactly this word ("gpu_chunk=chunk", "pcf=auto").
  virtual bool is(std::string_view option, std::string_view word) const = 0;
  /// Whole number >= 1; `otherwise` where the option was not given.
  virtual int count(std::string_view option, int otherwise) const = 0;
  /// Number from 1e-200 to 1e200; nullopt where the option was not given.
  virtual std::optional<double> positive(std::string_view option) const = 0;
  /// Throws config_error "YOKE_SCHEDULE=text: message".
  [[noreturn]] virtual void refuse(const std::string& message) const = 0;
};

/// Makes one schedule for each loop. Called with a workload without tasks too, where options are checked. May
/// be called by several threads at once. What it throws reaches who asked for the loop.
using schedule_factory =
    std::function<std::unique_ptr<schedule>(const schedule_options&, const workload&, std::span<const unit>)>;

}  // namespace scheduling

namespace detail {

/// What a shared object tells of one schedule, see schedule_plugin.hpp.
struct plugin_schedule {
  scheduling::schedule_info info;
  scheduling::schedule_factory make;
  const plugin_schedule* next;
};

/// What it exports. Interface and library come first in every version.
struct schedule_plugin {
  int interface;
  const char* library;
  const plugin_schedule* first;
};

/// Grows by one with every change of this header or of schedule.hpp.
inline constexpr int schedule_interface = 4;
/// Whose std::string and std::vector cross the boundary: a shared object with another is refused.
#if defined(_LIBCPP_VERSION)
inline constexpr const char* standard_library = "libc++";
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
inline constexpr const char* standard_library = "libstdc++ with its old strings";
#else
inline constexpr const char* standard_library = "libstdc++";
#endif
/// The function that a shared object has, without mangling.
inline constexpr const char* plugin_entry = "yoke_schedule_plugin";

}  // namespace detail

}  // namespace yoke
