#pragma once
/// Starts the probe programs, because OpenMP reads its environment once, and reads what they print.

#include <fmt/format.h>
#include <sstream>
#include <support/catch.hpp>
#include <support/process.hpp>

#include <yoke/places.hpp>
#include <yoke/topology.hpp>

namespace probing {

using support::process_result;
using strings = std::vector<std::string>;

/// The process's CPUs in the order in which Yoke hands them out.
inline const std::vector<int>& cpus() {
  static const std::vector<int> usable = yoke::topology::of_this_machine().usable_cpus(false);
  return usable;
}

inline bool lacks_cpus(std::size_t needed) {
  if (cpus().size() >= needed) return false;
  support::skip(fmt::format("needs {} CPUs, has {}", needed, cpus().size()));
  return true;
}

/// Confines the processes to `count` CPUs, so that the answers are those of such a machine.
inline strings on_cpus(std::size_t count, const std::string& program, const strings& arguments) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += fmt::format("{}{}", list.empty() ? "" : ",", cpus()[i]);
  strings command{"taskset", "-c", list, program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

inline process_result probe(const strings& environment, const strings& arguments = {}, std::size_t on = 2) {
  return support::run_process(on_cpus(on, YOKE_CU_PROBE, arguments), environment);
}

/// The lines that begin with `start`, without it.
inline strings lines(const process_result& result, const std::string& start) {
  strings found;
  std::istringstream all{result.output};
  for (std::string line; std::getline(all, line);) {
    if (line.starts_with(start)) found.push_back(line.substr(start.size()));
  }
  return found;
}

inline std::string line(const process_result& result, const std::string& start) {
  const strings found = lines(result, start);
  return found.size() == 1 ? found.front() : fmt::format("({} lines)", found.size());
}

/// The value of NAME=value in a line.
inline std::string field(const std::string& text, const std::string& name) {
  const std::size_t start = text.find(" " + name + "=");
  if (start == std::string::npos) return "(none)";
  const std::size_t value = start + name.size() + 2;
  return text.substr(value, text.find(' ', value) - value);
}

/// The text with @ and # replaced by this machine's first and second CPU.
inline std::string with_cpus(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '@' || c == '#') out += std::to_string(cpus()[c == '@' ? 0 : 1]);
    if (c != '@' && c != '#') out += c;
  }
  return out;
}

inline void check_accepted(const process_result& result, const std::string& places) {
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(line(result, "places ") == with_cpus(places));
  CHECK(line(result, "binding ") == "close,master");
}

inline void check_refused(const process_result& result, const strings& parts) {
  INFO(result.output);
  CHECK(result.status == 2);
  for (const std::string& part : parts) CHECK_THAT(result.output, Catch::Contains(with_cpus(part)));
}

struct shape {
  std::string cus;
  std::string places;
  strings inner;  ///< CPUs of each unit, where all its threads must be
  int cpu_units;
  int inner_cpus;
};

inline void check_units(const process_result& result, const shape& expected) {
  INFO(result.output);
  const int units = static_cast<int>(expected.inner.size());
  for (int unit = 0; unit < units; ++unit) {
    const bool is_cpu = unit < expected.cpu_units;
    const std::string where = with_cpus(expected.inner[static_cast<std::size_t>(unit)]);
    const std::string outer = line(result, fmt::format("unit {} outer", unit));
    const strings inner = lines(result, fmt::format("unit {} inner", unit));
    CHECK(field(outer, "level") == "1");
    CHECK(inner.size() == static_cast<std::size_t>(is_cpu ? expected.inner_cpus : 1));
    strings all = inner;
    all.push_back(outer);
    for (const std::string& each : all) {
      CHECK(field(each, "cus") == std::to_string(units));
      CHECK(field(each, "cpus") == std::to_string(expected.cpu_units));
      CHECK(field(each, "gpus") == std::to_string(units - expected.cpu_units));
      CHECK(field(each, "inner") == std::to_string(is_cpu ? expected.inner_cpus : 0));
      CHECK(field(each, "is_cpu") == (is_cpu ? "true" : "false"));
      CHECK(field(each, "is_gpu") == (is_cpu ? "false" : "true"));
      CHECK(field(each, "cpu_id") == std::to_string(is_cpu ? unit : -1));
      CHECK(field(each, "gpu_id") == std::to_string(is_cpu ? -1 : 10 + unit - expected.cpu_units));
      CHECK(field(each, "stream") == (is_cpu ? "false" : "true"));
      CHECK(field(each, "on") == where);
    }
    for (const std::string& each : inner) {
      CHECK(field(each, "cu_id") == std::to_string(unit));
      CHECK(field(each, "level") == "3");
    }
  }
}

inline const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"1x1", "{@}", {"@"}, 1, 1},
      {"2x1", "{@},{#}", {"@", "#"}, 2, 1},
      {"1x2", "{@,#}", {"@,#"}, 1, 2},
      {"1x1+1", "{@},{#}", {"@", "#"}, 1, 1},
      {"+1", "{@}", {"@"}, 0, 0},
      {"+2", "{@},{#}", {"@", "#"}, 0, 0},
      {"2x1+1", "{@},{#},{#}", {"@", "#", "#"}, 2, 1},
      {"1x2+1", "{@,#},{#}", {"@,#", "#"}, 1, 2},
  };
  return all;
}

}  // namespace probing
