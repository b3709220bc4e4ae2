#include "surroundings.hpp"

#include "system_texts.hpp"

#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

#include <yoke/environment_mark.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> users_variables() {
  std::map<std::string, std::string> all;
  for (auto& [name, value] : yoke::detail::environment_with("")) {
    if (yoke::detail::is_set_by_user(name.c_str())) all.emplace(name, value);
  }
  return all;
}

/// The least of the process's group and those above it.
std::optional<double> cpus_by_quota() {
  const fs::path root{"/sys/fs/cgroup"};
  std::optional<double> least;
  for (fs::path at = root / own_group_in(contents_of("/proc/self/cgroup"));; at = at.parent_path()) {
    const auto here = quota_in(contents_of(at / "cpu.max"));
    if (here && (!least || *here < *least)) least = here;
    if (at == root || at.native().size() <= root.native().size()) return least;
  }
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

void look_at(const fs::path& process, surroundings& all) {
  const int pid = pid_in(process.filename());
  process_texts of{.comm = contents_of(process / "comm")};
  const std::string name = of.name();
  if (pid == 0 || name.empty()) return;
  all.running.insert(name);
  if (pid == getpid() || pid == getppid()) return;
  of.variables = contents_of(process / "environ");
  if (!of.is_of_yoke()) return;
  of.status = contents_of(process / "status");
  if (const std::vector<int> cpus = of.cpus(); !cpus.empty())
    all.neighbours.push_back({pid, yoke::detail::printable(name), cpus});
}

}  // namespace

surroundings surroundings_of_this_process() {
  surroundings all;
  all.variables = users_variables();
  all.machine = yoke::topology::with_accelerators();
  all.cpus_online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  all.cpus_by_quota = cpus_by_quota();
  all.huge_pages = chosen_in(contents_of("/sys/kernel/mm/transparent_hugepage/enabled"));
  if (const std::string* trace = all.find("YOKE_TRACE")) all.can_trace = can_write(*trace);
  all.most_processes = limit_of(RLIMIT_NPROC);
  all.most_locked = limit_of(RLIMIT_MEMLOCK);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{"/proc", ignored}) look_at(entry.path(), all);
  return all;
}

}  // namespace tools
