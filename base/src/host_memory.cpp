#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <utility>

#include <yoke/host_memory.hpp>

namespace yoke {

namespace {

constexpr std::size_t kibi = 1024;
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t less(std::size_t limit, std::size_t used) { return limit > used ? limit - used : 0; }

/// The number behind `name` in a file of lines "name: 12 kB" or "name 12".
std::optional<std::size_t> number_in(const std::string& path, const std::string& name) {
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    std::istringstream words{line};
    std::string word;
    std::size_t value = 0;
    if (words >> word && (word == name || word == name + ":") && words >> value) return value;
  }
  return std::nullopt;
}

/// A file that is a number; nullopt for "max", or where there is no such file.
std::optional<std::size_t> number_of(const std::string& path) {
  std::ifstream file{path};
  std::size_t value = 0;
  return file >> value ? std::optional{value} : std::nullopt;
}

/// What the two versions call the same.
struct group_files {
  const char* limit;
  const char* used;
  const char* reclaimable;
};
constexpr group_files version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr group_files version_2{"memory.max", "memory.current", "inactive_file"};

std::size_t left_in(const std::string& folder, const group_files& files) {
  const std::optional<std::size_t> limit = number_of(folder + '/' + files.limit);
  const std::optional<std::size_t> used = number_of(folder + '/' + files.used);
  if (!limit || !used) return unlimited;
  const std::size_t cached = number_in(folder + "/memory.stat", files.reclaimable).value_or(0);
  return less(*limit, less(*used, cached));
}

/// Of a group and all those that it is in. In a container the path may be one that is seen outside only: then
/// the topmost folder is the group's own.
std::size_t left_below(const std::string& top, std::string path, const group_files& files) {
  std::size_t least = left_in(top, files);
  while (path.size() > 1 && path.front() == '/') {
    least = std::min(least, left_in(top + path, files));
    path.erase(path.rfind('/'));
  }
  return least;
}

/// Lines of /proc/self/cgroup are "0::/path" (version 2) and "4:cpu,memory:/path" (version 1).
std::size_t left_by_groups(const std::string& root) {
  std::size_t least = unlimited;
  std::ifstream file{root + "/proc/self/cgroup"};
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string path = line.substr(second + 1), top = root + "/sys/fs/cgroup";
    if (controllers == ",,") least = std::min(least, left_below(top, path, version_2));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_below(top + "/memory", path, version_1));
  }
  return least;
}

std::size_t limit_of(decltype(RLIMIT_AS) what) {
  rlimit limit{};
  if (getrlimit(what, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  return static_cast<std::size_t>(limit.rlim_cur);
}

/// What is left of a limit of which the process has used the number behind `name`, in KiB.
std::size_t left_of_limit(std::size_t limit, const std::string& root, const char* name) {
  if (limit == unlimited) return unlimited;
  return less(limit, kibi * number_in(root + "/proc/self/status", name).value_or(0));
}

}  // namespace

host_memory detail::free_host_memory(const std::string& root, std::size_t most_addresses,
                                     std::size_t most_data) {
  const std::optional<std::size_t> available = number_in(root + "/proc/meminfo", "MemAvailable");
  const std::size_t of_machine = available ? kibi * *available : unlimited;
  const std::size_t shared = std::min(of_machine, left_by_groups(root));
  const std::size_t data = left_of_limit(most_data, root, "VmData");
  return {.free = std::min(shared, data),
          .addresses = left_of_limit(most_addresses, root, "VmSize"),
          .is_limit = data < shared};
}

host_memory free_host_memory() {
  return detail::free_host_memory("", limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
}

}  // namespace yoke
