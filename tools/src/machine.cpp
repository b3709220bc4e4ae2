#include "machine.hpp"

#include <filesystem>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>

namespace tools {

namespace {

yoke::topology load(const std::string& text) {
  if (text.empty()) return yoke::topology::with_accelerators();
  if (std::filesystem::exists(text)) return yoke::topology::from_xml(text);
  try {
    return yoke::topology::synthetic(text);
  } catch (const yoke::config_error& refusal) {
    throw yoke::config_error{fmt::format("--machine {}: no such file, and {}", text, refusal.what())};
  }
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& text, const std::string& origin) {
  constexpr int most = 65535;
  const yoke::sourced given{text, origin};
  yoke::detail::text_parser in{given, "numbers and ranges of CPUs, as 0-3,8"};
  std::vector<int> cpus;
  do {
    const int first = in.number("a CPU", 0, most);
    const int last = in.accept('-') ? in.number("the last CPU of a range", first, most) : first;
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  } while (in.accept(','));
  in.expect_end();
  return cpus;
}

yoke::topology machine_of(const machine_option& option) {
  yoke::topology whole = load(option.text);
  if (option.cpus.empty()) return whole;
  const std::vector<int> wanted = parse_cpu_list(option.cpus, "--cpus");
  for (const int cpu : wanted) {
    if (!whole.allows(cpu))
      throw yoke::config_error{
          fmt::format("--cpus {}: the machine has no CPU {} that may be used", option.cpus, cpu)};
  }
  return whole.confined_to(wanted);
}

}  // namespace tools
