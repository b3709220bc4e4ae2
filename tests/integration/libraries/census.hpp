#pragma once
/// Where the threads of this process may run, its libraries' too, beside the compute units of a runtime.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <yoke/places_text.hpp>
#include <yoke/yoke.hpp>

namespace census {

/// Of the thread with this folder in /proc, as "0-3,8".
inline std::string allowed(const std::filesystem::path& task) {
  const std::string name = "Cpus_allowed_list:\t";
  std::ifstream status{task / "status"};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return line.substr(name.size());
  return "";
}

/// As the kernel writes it.
inline std::string list_of(const yoke::place& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    text += (i == 0 ? "" : ",") + std::to_string(cpus[i]);
    if (end - i > 1) text += "-" + std::to_string(cpus[end - 1]);
    i = end;
  }
  return text;
}

/// The threads of the process and their CPUs.
inline std::map<std::string, std::string> threads() {
  std::map<std::string, std::string> all;
  for (const auto& task : std::filesystem::directory_iterator{"/proc/self/task"})
    all[task.path().filename()] = allowed(task.path());
  return all;
}

/// Prints each; gives how many have just the CPUs of unit 0, 1, …, and behind them how many have others.
inline std::vector<int> count(const yoke::compute_units& units) {
  std::vector<int> found(static_cast<std::size_t>(units.size()) + 1);
  for (const auto& [thread, cpus] : threads()) {
    std::size_t unit = 0;
    while (unit + 1 < found.size() && list_of(units.all()[unit].cpus) != cpus) ++unit;
    ++found[unit];
    std::printf("thread %s may use %s\n", thread.c_str(), cpus.c_str());
  }
  return found;
}

/// Whether each unit has `each` threads of the process on its CPUs, and no thread has others.
inline bool all_in_units(const yoke::compute_units& units, int each) {
  const std::vector<int> found = count(units);
  bool right = found.back() == 0;
  for (std::size_t unit = 0; unit + 1 < found.size(); ++unit) right = right && found[unit] == each;
  if (!right) std::printf("%d threads for each unit were expected, and no others\n", each);
  return right;
}

}  // namespace census
