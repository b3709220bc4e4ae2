#include "surroundings.hpp"

#include "machine.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/settings.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;

/// Empty where it cannot be read.
std::string contents(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::map<std::string, std::string> users_variables() {
  std::map<std::string, std::string> all;
  for (auto& [name, value] : yoke::detail::environment_with("")) {
    if (yoke::detail::is_set_by_user(name.c_str())) all.emplace(name, value);
  }
  return all;
}

/// "quota period" of cgroup v2, in this process's cgroup or above it.
std::optional<double> quota_in(const fs::path& file) {
  std::istringstream in{contents(file)};
  double quota = 0;
  double period = 0;
  if (in >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::nullopt;
}

std::optional<double> cpus_by_quota() {
  const fs::path root{"/sys/fs/cgroup"};
  const std::string own = contents("/proc/self/cgroup");
  const std::size_t start = own.find("0::/");
  fs::path at = root;
  if (start != std::string::npos) at /= own.substr(start + 4, own.find('\n', start) - start - 4);
  std::optional<double> least;
  for (;; at = at.parent_path()) {
    const auto here = quota_in(at / "cpu.max");
    if (here && (!least || *here < *least)) least = here;
    if (at == root || at.native().size() <= root.native().size()) return least;
  }
}

/// The word in brackets of "always [madvise] never".
std::string huge_pages() {
  const std::string all = contents("/sys/kernel/mm/transparent_hugepage/enabled");
  const std::size_t open = all.find('[');
  const std::size_t close = all.find(']');
  return open == std::string::npos || close == std::string::npos ? ""
                                                                 : all.substr(open + 1, close - open - 1);
}

std::optional<std::uint64_t> limit_of(int which) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(which), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur;
}

/// As far as can be told without writing it.
bool can_write(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return !fs::is_directory(file, ignored) && access(file.c_str(), W_OK) == 0;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path{"."};
  return !file.empty() && fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK) == 0;
}

int number_in(const std::string& text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size() ? number : 0;
}

std::string line_of(const std::string& text, const std::string& name) {
  const std::size_t start = text.find(name);
  if (start == std::string::npos) return "";
  std::string line = text.substr(start + name.size(), text.find('\n', start) - start - name.size());
  line.erase(0, line.find_first_not_of(" \t"));
  return line;
}

/// Whether another process's first environment names compute units.
bool is_of_yoke(const fs::path& process) {
  const std::string environment = '\0' + contents(process / "environ");
  using namespace std::string_literals;
  return environment.find("\0YOKE_CUS="s) != std::string::npos ||
         environment.find("\0_YOKE_SET="s) != std::string::npos;
}

void look_at(const fs::path& process, surroundings& all) {
  const int pid = number_in(process.filename());
  std::string name = contents(process / "comm");
  name.erase(std::min(name.find('\n'), name.size()));
  if (pid == 0 || name.empty()) return;
  all.running.insert(name);
  if (pid == getpid() || pid == getppid() || !is_of_yoke(process)) return;
  const std::string cpus = line_of(contents(process / "status"), "Cpus_allowed_list:");
  if (!cpus.empty()) all.neighbours.push_back({pid, name, parse_cpu_list(cpus, "/proc")});
}

}  // namespace

surroundings surroundings_of_this_process() {
  surroundings all;
  all.variables = users_variables();
  all.machine = yoke::topology::with_accelerators();
  all.cpus_online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  all.cpus_by_quota = cpus_by_quota();
  all.huge_pages = huge_pages();
  if (const std::string* trace = all.find("YOKE_TRACE")) all.can_trace = can_write(*trace);
  all.most_processes = limit_of(RLIMIT_NPROC);
  all.most_locked = limit_of(RLIMIT_MEMLOCK);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{"/proc", ignored}) look_at(entry.path(), all);
  return all;
}

}  // namespace tools
