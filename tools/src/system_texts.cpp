#include "system_texts.hpp"

#include "machine.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include <yoke/number_range.hpp>

namespace tools {

namespace {

std::string line_of(const std::string& text, const std::string& name) {
  const std::size_t start = text.find(name);
  if (start == std::string::npos) return "";
  std::string line = text.substr(start + name.size(), text.find('\n', start) - start - name.size());
  line.erase(0, line.find_first_not_of(" \t"));
  return line;
}

/// Without a sign, and nothing behind it.
std::optional<int> number_in(const std::string& text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c |= 0x20;
  }
  return text;
}

std::optional<double> quota_in(const std::string& cpu_max) {
  std::istringstream in{cpu_max};
  std::string quota, period;
  in >> quota >> period;
  const auto of = yoke::detail::amounts.read(quota), in_all = yoke::detail::amounts.read(period);
  if (!of || !in_all || !yoke::detail::amounts.has(*of / *in_all)) return std::nullopt;
  return *of / *in_all;
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

int pid_in(const std::string& folder_name) { return number_in(folder_name).value_or(0); }

/// State and CPU are the third and the 39th field; the second, a name in brackets, may hold anything.
std::optional<thread_stat> thread_stat_in(const std::string& stat) {
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  std::istringstream fields{stat.substr(close + 1)};
  const std::vector<std::string> words{std::istream_iterator<std::string>{fields}, {}};
  constexpr std::size_t processor = 36;  // counted from the state
  if (words.size() <= processor) return std::nullopt;
  const std::optional<int> cpu = number_in(words[processor]);
  if (!cpu) return std::nullopt;
  return thread_stat{stat.substr(open + 1, close - open - 1), words[0] == "R", *cpu};
}

std::string allowed_list_in(const std::string& status) { return line_of(status, "Cpus_allowed_list:"); }

int leading_number_in(const std::string& text) {
  return number_in(text.substr(0, text.find_first_not_of("0123456789"))).value_or(0);
}

}  // namespace tools
