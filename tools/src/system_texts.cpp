#include "system_texts.hpp"

#include "machine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace tools {

namespace {

std::string line_of(const std::string& text, const std::string& name) {
  const std::size_t start = text.find(name);
  if (start == std::string::npos) return "";
  std::string line = text.substr(start + name.size(), text.find('\n', start) - start - name.size());
  line.erase(0, line.find_first_not_of(" \t"));
  return line;
}

}  // namespace

std::optional<double> quota_in(const std::string& cpu_max) {
  std::istringstream in{cpu_max};
  double quota = 0;
  double period = 0;
  if (in >> quota >> period && quota > 0 && period > 0 && std::isfinite(quota / period))
    return quota / period;
  return std::nullopt;
}

std::filesystem::path own_group_in(const std::string& cgroup) {
  const std::size_t start = cgroup.find("0::/");
  if (start == std::string::npos) return {};
  // Of a second slash a path would be absolute, and replace the folder that it is to be in.
  return std::filesystem::path{cgroup.substr(start + 4, cgroup.find('\n', start) - start - 4)}
      .relative_path();
}

std::string chosen_in(const std::string& words) {
  const std::size_t open = words.find('[');
  const std::size_t close = words.find(']', std::min(open, words.size()));
  if (open == std::string::npos || close == std::string::npos) return "";
  return words.substr(open + 1, close - open - 1);
}

std::string process_texts::name() const { return comm.substr(0, comm.find('\n')); }

bool process_texts::is_of_yoke() const {
  const std::string all = '\0' + variables;
  using namespace std::string_literals;
  return all.find("\0YOKE_CUS="s) != std::string::npos || all.find("\0_YOKE_SET="s) != std::string::npos;
}

std::vector<int> process_texts::cpus() const {
  const std::string list = line_of(status, "Cpus_allowed_list:");
  return list.empty() ? std::vector<int>{} : parse_cpu_list(list, "/proc");
}

int pid_in(const std::string& folder_name) {
  int number = 0;
  const char* const end = folder_name.data() + folder_name.size();
  const auto [stop, failure] = std::from_chars(folder_name.data(), end, number);
  return failure == std::errc{} && stop == end ? std::max(number, 0) : 0;
}

}  // namespace tools
