// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The YOKE_ environment variables: the one place that knows their names, and the home of getenv and setenv.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

/// A value with where it came from, so that an error can name it: "YOKE_CUS=2x2" or "--cus 2x2".
struct sourced {
  std::string value;
  std::string origin;  ///< "YOKE_CUS", "OMP_NUM_THREADS", "--cus", "runtime(\"…\")", "default"

  /// "YOKE_CUS=7x", "--cus 7x", "runtime("7x")": how every message about this value begins.
  std::string quoted() const;
};

/// One YOKE_ variable: its name, what it accepts (a grammar line for messages) and a sentence for --help.
/// `accepted` is empty where another room knows it, and answers VARIABLE=help.
struct setting_info {
  std::string_view name;
  std::string_view accepted;
  std::string_view meaning;
};

/// The variables of this room, in the order of the user guide. Rooms above have more.
std::span<const setting_info> base_settings();

/// Settings as the environment has them. Values are not parsed here: each room parses its own.
class settings {
 public:
  static settings from_environment();
  /// Errors: config_error for a YOKE_ variable that neither this room nor `more` has (naming the closest one
  /// that exists), or for VARIABLE=help (the message lists the choices).
  void check_names(std::span<const setting_info> more) const;
  /// The variable of that name, of this room or of another one.
  std::optional<sourced> find(std::string_view name) const;

  std::optional<sourced> cus;          ///< YOKE_CUS
  std::optional<sourced> schedule;     ///< YOKE_SCHEDULE
  std::optional<sourced> devices;      ///< YOKE_DEVICES
  std::optional<sourced> trace;        ///< YOKE_TRACE
  std::optional<sourced> profile;      ///< YOKE_PROFILE
  std::optional<sourced> smt;          ///< YOKE_SMT
  std::optional<sourced> check;        ///< YOKE_CHECK
  std::optional<sourced> mpi_devices;  ///< YOKE_MPI_DEVICES
  std::optional<sourced> display_env;  ///< YOKE_DISPLAY_ENV
  std::vector<sourced> others;         ///< every other YOKE_ variable, its name as origin
};

/// "YOKE_SMT: what it means; accepted: what it accepts", for VARIABLE=help. Throws it as a config_error.
[[noreturn]] void answer_help(const setting_info& info);

/// Reads "0" or "1", as in YOKE_SMT. Errors: config_error naming the value and its origin.
bool parse_flag(const sourced& text);

namespace detail {
std::optional<std::string> get_environment(const char* name);
void set_environment(const char* name, const std::string& value);
void unset_environment(const char* name);
/// Names and values of all variables whose name begins so, by name.
std::vector<std::pair<std::string, std::string>> environment_with(std::string_view prefix);
}  // namespace detail

}  // namespace yoke
