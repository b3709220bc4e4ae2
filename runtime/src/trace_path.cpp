#include "trace_path.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <system_error>
#include <vector>

namespace yoke::detail {

namespace {

namespace fs = std::filesystem;

fs::path numbered(const fs::path& path, int number) {
  fs::path name = path.stem();
  name += fmt::format(".{}", number);
  name += path.extension();
  return path.parent_path() / name;
}

/// Also where the paths differ, by links.
bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code problem;
  if (fs::exists(a, problem) && fs::exists(b, problem)) return fs::equivalent(a, b, problem);
  return fs::absolute(a, problem).lexically_normal() == fs::absolute(b, problem).lexically_normal();
}

}  // namespace

std::string own_trace_path(const std::string& path) {
  static std::mutex mutex;
  static std::vector<fs::path> taken;
  std::error_code problem;
  if (fs::exists(path, problem) && !fs::is_regular_file(path, problem)) return path;
  const std::scoped_lock lock{mutex};
  const auto is_taken = [](const fs::path& wanted) {
    return std::ranges::any_of(taken, [&](const fs::path& each) { return are_one_file(each, wanted); });
  };
  fs::path own{path};
  for (int number = 2; is_taken(own); ++number) own = numbered(path, number);
  // As it is found from wherever the program goes.
  taken.push_back(fs::absolute(own, problem));
  return own.string();
}

}  // namespace yoke::detail
