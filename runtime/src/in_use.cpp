#include "in_use.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <set>
#include <unistd.h>

#include <yoke/backends.hpp>
#include <yoke/descriptor.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

/// Bytes of CPUs are their numbers; those of GPUs come behind.
constexpr long first_gpu = 1L << 20, gpus = 1L << 20;

std::string path_of_user() {
  const std::optional<std::string> folder = get_environment("XDG_RUNTIME_DIR");
  if (folder && !folder->empty()) return *folder + "/yoke-in-use";
  return fmt::format("/tmp/yoke-in-use-{}", getuid());
}

/// Of this process, as a whole: runtimes of one process do not get in each other's way here, and a child that
/// is forked has none.
struct flock lock_on(long byte, short type) {
  struct flock wanted{};
  wanted.l_type = type;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = byte;
  wanted.l_len = 1;
  return wanted;
}

/// The same for whatever number this process has for the device: "cuda:3", "cuda:GPU-5b3c".
std::string real_device(const device_info& info) {
  const std::string kind = info.name.substr(0, info.name.find(':'));
  const backend* const of = find_backend(kind);
  if (of == nullptr || !of->numbering) return fmt::format("{}:{}", kind, info.ordinal);
  return fmt::format("{}:{}", kind, name_of_visible(*of->numbering, info.ordinal));
}

/// Emulated devices are nobody else's.
std::optional<long> byte_of(const device* dev) {
  if (dev == nullptr || dev->info().emulated) return std::nullopt;
  return first_gpu + static_cast<long>(std::hash<std::string>{}(real_device(dev->info())) % gpus);
}

std::string name_of(int process) {
  std::ifstream file{fmt::format("/proc/{}/comm", process)};
  std::string name;
  std::getline(file, name);
  return name.empty() ? fmt::format("{}", process) : fmt::format("{} ({})", process, printable(name));
}

}  // namespace

in_use_table& in_use_table::of_process() {
  static in_use_table table{path_of_user()};
  return table;
}

// Closing any descriptor of the file would drop all locks of the process, so there is one, opened once.
in_use_table::in_use_table(const std::string& path)
    : descriptor_{above_standard_streams(
          open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600))} {}

in_use_table::~in_use_table() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::map<long, int> in_use_table::take(std::span<const long> bytes) {
  const std::lock_guard guard{lock_};
  std::map<long, int> others;
  if (descriptor_ < 0) return others;
  for (const long byte : bytes) {
    if (taken_[byte]++ > 0) continue;
    struct flock wanted = lock_on(byte, F_WRLCK);
    if (fcntl(descriptor_, F_SETLK, &wanted) == 0) continue;
    if (errno != EAGAIN && errno != EACCES) continue;
    if (fcntl(descriptor_, F_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK) others[byte] = wanted.l_pid;
  }
  return others;
}

void in_use_table::give_back(std::span<const long> bytes) {
  const std::lock_guard guard{lock_};
  for (const long byte : bytes) {
    if (descriptor_ < 0 || --taken_[byte] > 0) continue;
    struct flock none = lock_on(byte, F_UNLCK);
    fcntl(descriptor_, F_SETLK, &none);
  }
}

claim::claim(const compute_units& units, in_use_table& table) : table_{table} {
  std::map<long, std::string> names;
  for (const compute_unit& unit : units.all()) {
    for (const int cpu : unit.cpus) names[cpu] = fmt::format("CPU {}", cpu);
    if (const std::optional<long> byte = byte_of(unit.dev)) names[*byte] = unit.dev->info().name;
  }
  for (const auto& [byte, name] : names) bytes_.push_back(byte);
  std::vector<std::string> things;
  std::set<std::string> processes;
  for (const auto& [byte, process] : table_.take(bytes_)) {
    things.push_back(names[byte]);
    processes.insert(name_of(process));
  }
  if (things.empty()) return;
  note_ = fmt::format("{} {} in use by process {} too; both will be slower, and what is learnt is of both",
                      fmt::join(things, ", "), things.size() == 1 ? "is" : "are", fmt::join(processes, ", "));
}

}  // namespace yoke::detail
