#include "option_files.hpp"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace npb {

namespace {

[[noreturn]] void reject_path(std::string_view option, const std::string& path, int problem) {
  throw yoke::config_error{
      fmt::format("{} {}: cannot be opened for writing: {}; give a path in a directory that exists", option,
                  path, std::strerror(problem))};
}

/// Fails now, and not after the run, where the file cannot be written. One that was not there is there for as
/// long as this: a run that fails leaves none.
class writable_file {
 public:
  writable_file(std::string_view option, const std::string& path) : path_{path} {
    if (path.empty()) throw yoke::config_error{fmt::format("{}: the path is empty", option)};
    if (yoke::detail::is_stream(path)) return;  // whose reader would take this for the end
    is_new_ = std::filesystem::symlink_status(path).type() == std::filesystem::file_type::not_found;
    if (const int problem = yoke::detail::try_to_open(path); problem != 0) reject_path(option, path, problem);
  }
  writable_file(const writable_file&) = delete;
  writable_file& operator=(const writable_file&) = delete;
  ~writable_file() {
    std::error_code stays;
    if (is_new_) std::filesystem::remove(path_, stays);
  }

 private:
  std::filesystem::path path_;
  bool is_new_ = false;
};

/// YOKE_TRACE counts where --trace is not given. Both files are there already where --json and --trace name
/// them; what is no regular file (/dev/null) holds both.
void check_two_files(const options& o) {
  namespace fs = std::filesystem;
  const std::optional<yoke::sourced> trace = o.trace ? o.trace : yoke::settings::from_environment().trace;
  if (o.json.empty() || !trace || !fs::is_regular_file(o.json)) return;
  std::error_code is_missing;
  if (!fs::equivalent(o.json, trace->value, is_missing)) return;
  throw yoke::config_error{fmt::format(
      "--json {}: is the same file as that of {}, and one would overwrite the other; give two files", o.json,
      trace->quoted())};
}

}  // namespace

void open_files(const std::optional<std::string>& json, const std::optional<yoke::sourced>& trace,
                options& o) {
  std::optional<writable_file> of_json, of_trace;
  if (json) of_json.emplace("--json", o.json = *json);
  if ((o.trace = trace)) of_trace.emplace("--trace", o.trace->value);
  check_two_files(o);
  if (o.json.empty()) return;
  o.json_file = std::make_shared<yoke::detail::output_file>(o.json);
  if (o.json_file->problem() != 0) reject_path("--json", o.json, o.json_file->problem());
}

}  // namespace npb
