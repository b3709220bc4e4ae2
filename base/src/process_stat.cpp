#include "process_stat.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace yoke::detail {

std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// The start time is the 20th field after the name, which may hold anything.
process_seen process_in(std::string_view stat) {
  process_seen seen;
  const std::string number{take(stat, ' ')};
  take(stat, '(');
  const std::size_t name = std::min(stat.rfind(')'), stat.size());
  seen.name = stat.substr(0, name);
  stat.remove_prefix(std::min(name + 1, stat.size()));
  for (int field = 0; field < 20; ++field) {
    const std::string_view text = take(stat, ' ');
    if (field == 2) seen.parent = text;
  }
  seen.identity = fmt::format("{}:{}", number, take(stat, ' '));
  return seen;
}

process_seen look_at(const std::string& process) {
  std::ifstream file{"/proc/" + process + "/stat"};
  const std::string all{std::istreambuf_iterator<char>{file}, {}};
  return process_in(all);
}

}  // namespace yoke::detail
