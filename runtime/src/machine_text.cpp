#include "machine_text.hpp"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <yoke/affinity.hpp>
#include <yoke/backends.hpp>
#include <yoke/text.hpp>
#include <yoke/version.hpp>

namespace yoke::detail {

namespace {

std::string first_line_of(const char* path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

/// As the CPU says it. Not from /proc/cpuinfo: some kernels ask all CPUs for their clocks first.
std::string cpu_model() {
#if defined(__x86_64__)
  unsigned words[12] = {};
  for (unsigned part = 0; part < 3; ++part) {
    unsigned* const at = words + 4 * part;
    if (__get_cpuid(0x80000002U + part, at, at + 1, at + 2, at + 3) == 0) return "unknown CPU";
  }
  char text[sizeof words + 1] = {};
  std::memcpy(text, words, sizeof words);
  return text;
#else
  return "CPU";
#endif
}

/// Of the kernel modules, as they say it: no driver is woken for it.
std::string drivers() {
  std::string text;
  for (const char* path : {"/proc/driver/nvidia/version", "/sys/module/amdgpu/version"})
    if (const std::string line = first_line_of(path); !line.empty()) text += "; " + line;
  return text;
}

std::string machine_of(std::span<device* const> devices, const device_options& options) {
  std::string text = fmt::format("{}, {} CPUs", cpu_model(), allowed_cpus_at_start().size());
  bool is_real = false;
  for (const device* dev : devices) {
    text += fmt::format("; {} of {} processors", dev->info().model, dev->info().processors);
    if (dev->info().share < 1) text += fmt::format(", {:.4g} of the device", dev->info().share);
    is_real = is_real || !dev->info().emulated;
  }
  if (is_real) text += drivers();
  for (const auto& [of, given] : options.texts)
    text += fmt::format("; {}={}", of->options->variable.name, given.value);
  return text;
}

/// A program that was built or copied anew has another.
std::string build_of(const std::filesystem::path& program) {
  struct stat found{};
  if (stat(program.c_str(), &found) != 0) return std::string{version()};
  return fmt::format("yoke {}, {} bytes of {}.{:09}", version(), found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

}  // namespace

profile_key common_key(const configuration& shape, std::span<device* const> devices,
                       const device_options& options) {
  std::error_code problem;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
  return {.machine = valid_text(machine_of(devices, options)),
          .build = build_of(program),
          .program = valid_text(program.filename().string()),
          .work = "",
          .schedule = "",
          .cus = shape.text()};
}

}  // namespace yoke::detail
