#include "record/commit.hpp"
#include "record/record.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <unistd.h>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/output_file.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>
#include <yoke/version.hpp>

namespace record {

namespace {

using yoke::detail::valid_text;

/// The program without its folder, then its arguments.
ordered_json command() {
  ordered_json words = ordered_json::array();
  std::ifstream file{"/proc/self/cmdline"};
  for (std::string word; std::getline(file, word, '\0');)
    words.push_back(valid_text(words.empty() ? word.substr(word.rfind('/') + 1) : word));
  return words;
}

std::string cpu_model() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

struct moment {
  std::time_t time = std::time(nullptr);
  std::array<double, 3> load{};
  bool has_load = getloadavg(load.data(), 3) == 3;
};
/// Before main: later the program's own work is part of the load.
const moment start;

ordered_json build() {
  const yoke::build_options& of = yoke::options_of_build();
  ordered_json out{{"compiler", of.compiler}, {"type", of.type}, {"gpu", of.gpu}};
  if (!of.gpu_compiler.empty()) out["gpu_compiler"] = of.gpu_compiler;
  if (!of.sanitizers.empty()) out["sanitize"] = of.sanitizers;
  return out;
}

ordered_json variables() {
  ordered_json out = ordered_json::object();
  for (const char* prefix : {"YOKE_", "OMP_", "KMP_", "CUDA_", "HIP_", "ROCR_"})
    for (const auto& [name, value] : yoke::detail::environment_with(prefix))
      out[valid_text(name)] = valid_text(value);
  return out;
}

}  // namespace

ordered_json of_program() {
  return {{"yoke", yoke::version()},
          {"commit", commit()},
          {"build", build()},
          {"command", command()},
          {"time", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(start.time))},
          {"host",
           {{"cpu", cpu_model()},
            {"cpus", yoke::allowed_cpus_at_start().size()},
            {"cpus_online", sysconf(_SC_NPROCESSORS_ONLN)},
            {"load", start.has_load ? ordered_json(start.load) : ordered_json(nullptr)}}},
          {"variables", variables()}};
}

void write_json(yoke::detail::output_file& file, std::string_view text) {
  if (const int problem = file.write(text); problem != 0)
    throw yoke::error{fmt::format("--json {}: cannot be written: {}", yoke::detail::printable(file.path()),
                                  std::strerror(problem))};
}

void write_json(const std::string& path, const ordered_json& what) {
  yoke::detail::output_file file{path};
  write_json(file, yoke::detail::json_text(what, 1) + '\n');
}

}  // namespace record
