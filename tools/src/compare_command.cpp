#include "commands.hpp"
#include "json_fields.hpp"
#include "machine_file.hpp"
#include "task_file.hpp"
#include "why_not_run.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <yoke/configuration.hpp>
#include <yoke/device_list.hpp>
#include <yoke/error.hpp>
#include <yoke/runtime.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;

/// A word that a shell, and Python's shlex, reads as it is.
std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                             "_@%+=:,./-") == std::string::npos;
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string{"'\"'\"'"} : std::string{c};
  return text + "'";
}

/// Command lines, cut at "--".
std::vector<std::string> programs_of(const std::vector<std::string>& words) {
  std::vector<std::string> programs;
  bool begins = true;
  for (const std::string& word : words) {
    if (word == "--") {
      begins = true;
    } else if (begins) {
      programs.push_back(quoted(word));
      begins = false;
    } else {
      programs.back() += " " + quoted(word);
    }
  }
  return programs;
}

void check_simulated(const compare_options& options) {
  if (!options.program.empty())
    throw yoke::config_error{
        "compare --machine runs tasks in virtual time: --class or --tasks, and no program"};
  if (options.classes.empty() && options.tasks.empty())
    throw yoke::config_error{"compare --machine needs tasks: --class SP:D or --tasks FILE"};
  if (!options.rate.empty() || !options.devices.empty())
    throw yoke::config_error{"compare takes --rate and --devices for programs, not with --machine"};
  static_cast<void>(read_machine(options.machine));
  for (const std::string& name : options.classes) static_cast<void>(tasks_of_class(name));
  for (const std::string& file : options.tasks) static_cast<void>(read_tasks(file));
}

void check_real(const compare_options& options) {
  if (!options.classes.empty() || !options.tasks.empty() || options.order != compare_options{}.order)
    throw yoke::config_error{
        "compare takes --class, --tasks and --order with --machine only; else a program after --"};
  if (options.program.empty())
    throw yoke::config_error{"compare needs a program: -- program argument…, or --machine FILE"};
  if (options.cus.empty()) throw yoke::config_error{"compare needs at least one --cus NxM+G"};
  if (!options.devices.empty()) static_cast<void>(yoke::parse_device_list({options.devices, "--devices"}));
}

void check(const compare_options& options) {
  options.machine.empty() ? check_real(options) : check_simulated(options);
  for (const std::string& cus : options.cus) (void)yoke::parse_configuration({cus, "--cus"});
  for (const std::string& schedule : options.schedules) yoke::check_schedule({schedule, "--schedule"});
}

json as_json(const compare_options& options, const fs::path& self) {
  std::vector<std::string> programs = programs_of(options.program);
  for (const auto* list : {&options.classes, &options.tasks})
    programs.insert(programs.end(), list->begin(), list->end());
  return {{"yoke", self.string()},          {"programs", programs},         {"cus", options.cus},
          {"schedules", options.schedules}, {"devices", options.devices},   {"rate", options.rate},
          {"machine", options.machine},     {"classes", options.classes},   {"out", options.out},
          {"budget", options.budget},       {"accuracy", options.accuracy}, {"json", options.json},
          {"order", options.order}};
}

/// Python's own way to keep bytes that are no text ("surrogateescape"), as its json reads it: "\udcff".
std::string text_for_python(const std::string& text) {
  std::string quoted_text;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = yoke::detail::character_at(text, at);
    const std::string character = text.substr(at, std::max<std::size_t>(length, 1));
    quoted_text += length == 0 ? fmt::format("\\udc{:02x}", static_cast<unsigned char>(text[at]))
                               : yoke::detail::json_text(json(character)).substr(1);
    if (length > 0) quoted_text.pop_back();
    at += character.size();
  }
  return '"' + quoted_text + '"';
}

std::string for_python(const json& value) {
  if (value.is_string()) return text_for_python(value.get<std::string>());
  if (!value.is_structured()) return yoke::detail::json_text(value);
  std::vector<std::string> parts;
  for (const auto& [name, part] : value.items())
    parts.push_back((value.is_object() ? text_for_python(name) + ":" : "") + for_python(part));
  return fmt::format(fmt::runtime(value.is_object() ? "{{{}}}" : "[{}]"), fmt::join(parts, ","));
}

}  // namespace

int run_compare(const compare_options& options) {
  check(options);
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const fs::path script = self.parent_path().parent_path() / "share" / "yoke" / "compare" / "main.py";
  if (!fs::exists(script))
    throw yoke::config_error{
        fmt::format("{}: is missing; it is installed together with {}", script.string(), self.string())};
  const std::string given = for_python(as_json(options, self));
  std::fflush(stdout);
  execlp("python3", "python3", "-I", "-B", script.c_str(), given.c_str(), nullptr);
  fmt::print(stderr, "yoke: compare needs python3, which cannot be run: {}\n", why_not_run("python3", errno));
  return cannot_run;
}

}  // namespace tools
