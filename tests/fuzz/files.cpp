// Files that users write, that may be damaged or that the system writes: the first character ('0' to '6')
// chooses the reader, the rest is the file.

#include "../../base/src/driver_files.hpp"
#include "../../runtime/src/profile_book.hpp"
#include "calibration.hpp"
#include "machine_file.hpp"
#include "system_texts.hpp"
#include "task_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include <yoke/error.hpp>
#include <yoke/host_memory.hpp>

namespace {

/// A file in memory, which ends with the object.
class scratch_file {
 public:
  explicit scratch_file(std::string_view text) : descriptor_{memfd_create("fuzz", MFD_CLOEXEC)} {
    if (write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  ~scratch_file() { close(descriptor_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// What was read of a profile is written as a profile.
void read_profile(std::string_view text) {
  using yoke::detail::profile_book;
  const auto found = profile_book::parse(text);
  if (const auto* book = std::get_if<profile_book>(&found))
    if (!std::holds_alternative<profile_book>(profile_book::parse(book->text()))) std::abort();
}

/// What a run tells of its machine is written as a machine.
void read_run(std::string_view text) {
  const tools::json machine = tools::as_json(tools::calibrate({scratch_file{text}.path()}));
  try {
    (void)tools::read_machine(scratch_file{machine.dump()}.path());
  } catch (const yoke::config_error& problem) {
    std::fprintf(stderr, "not so: a calibrated machine can be read: %s\n", problem.what());
    std::abort();
  }
}

/// /proc and /sys as far as they are read for limits of memory and GPUs.
class scratch_system {
 public:
  scratch_system() {
    for (const char* folder : {"/proc/self", "/sys/fs/cgroup/memory", "/proc/driver/nvidia/gpus/0000:01:00.0",
                               "/sys/bus/pci/devices/0000:02:00.0"})
      std::filesystem::create_directories(root_ + folder);
  }
  ~scratch_system() { std::filesystem::remove_all(root_); }
  scratch_system(const scratch_system&) = delete;
  scratch_system& operator=(const scratch_system&) = delete;
  const std::string& root() const { return root_; }
  void write(const char* path, std::string_view text) const { std::ofstream{root_ + path} << text; }

 private:
  std::string root_ =
      (std::filesystem::temp_directory_path() / ("yoke-fuzz-" + std::to_string(getpid()))).string();
};

/// The next of the texts that have '#' between them.
std::string_view next_of(std::string_view& text) {
  const std::string_view part = text.substr(0, text.find('#'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// One for the whole run.
const scratch_system& of_the_run() {
  static const scratch_system one;
  return one;
}

/// The files of control groups, one behind the other; both versions get the same.
void read_groups(std::string_view text) {
  const scratch_system& system = of_the_run();
  const auto next = [&] { return next_of(text); };
  system.write("/proc/self/cgroup", next());
  system.write("/proc/meminfo", next());
  const std::string_view limit = next(), used = next(), statistics = next();
  system.write("/sys/fs/cgroup/memory.max", limit);
  system.write("/sys/fs/cgroup/memory.current", used);
  system.write("/sys/fs/cgroup/memory.stat", statistics);
  system.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", limit);
  system.write("/sys/fs/cgroup/memory/memory.usage_in_bytes", used);
  system.write("/sys/fs/cgroup/memory/memory.stat", statistics);
  (void)yoke::detail::free_host_memory(system.root(), 1 << 20, 1 << 20);
}

/// What `yoke check` reads of /proc and /sys.
void read_surroundings(std::string_view text) {
  const auto next = [&] { return std::string{next_of(text)}; };
  if (tools::own_group_in(next()).is_absolute()) std::abort();
  if (const auto quota = tools::quota_in(next()); quota && !(*quota > 0)) std::abort();
  if (tools::chosen_in(next()).find(']') != std::string::npos) std::abort();
  if (tools::pid_in(next()) < 0) std::abort();
  const tools::process_texts process{.comm = next(), .variables = next(), .status = next()};
  if (process.name().find('\n') != std::string::npos) std::abort();
  (void)process.is_of_yoke();
  (void)process.cpus();
  if (const auto thread = tools::thread_stat_in(next()); thread && thread->cpu < 0) std::abort();
  if (tools::allowed_list_in(next()).find('\n') != std::string::npos) std::abort();
  if (tools::leading_number_in(next()) < 0) std::abort();
}

/// What NVIDIA's driver writes about a GPU, and AMD's about another one.
void read_drivers(std::string_view text) {
  const scratch_system& system = of_the_run();
  system.write("/proc/driver/nvidia/gpus/0000:01:00.0/information", next_of(text));
  system.write("/sys/bus/pci/devices/0000:02:00.0/product_name", next_of(text));
  using yoke::accelerator_kind;
  const auto told = yoke::detail::told_by_drivers({{.kind = accelerator_kind::cuda, .pci = "0000:01:00.0"},
                                                   {.kind = accelerator_kind::cuda, .pci = "0000:03:00.0"},
                                                   {.kind = accelerator_kind::hip, .pci = "0000:02:00.0"}},
                                                  system.root());
  if (told.size() != 2) std::abort();
  for (const yoke::accelerator_info& each : told)
    if (each.model.find('\n') != std::string::npos) std::abort();
}

constexpr std::array<void (*)(std::string_view), 7> readers{
    read_profile,
    [](std::string_view text) { (void)tools::read_machine(scratch_file{text}.path()); },
    [](std::string_view text) { (void)tools::read_tasks(scratch_file{text}.path()); },
    read_run,
    read_groups,
    read_surroundings,
    read_drivers};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] < '0') return -1;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  try {
    readers[(data[0] - '0') % readers.size()](text);
  } catch (const yoke::config_error&) {  // a mistake in the file
  }
  return 0;
}
