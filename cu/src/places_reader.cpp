// libomp has no call that takes a text and gives places, so its reading is written down here once more, with
// what it does not say: CPUs that do not exist are dropped, and so are places without a CPU.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/parse.hpp>
#include <yoke/places_text.hpp>

namespace yoke {

namespace {

constexpr std::string_view places_grammar =
    "threads | cores | sockets | ll_caches, with (count); or place{,place}, place = {cpus}[:count[:stride]], "
    "cpus = cpu[:count[:stride]]{,…}, numbers up to 65535";
constexpr int largest_number = 65535;

/// What libomp does not survive.
struct fatal_text {
  std::string why;
};

class place_reader {
 public:
  place_reader(const sourced& text, const topology& machine) : in_{text, places_grammar}, machine_{machine} {}

  std::vector<place> read_all() {
    do {
      read_interval();
      skip_blanks();
    } while (in_.accept(','));
    in_.expect_end();
    if (!fatal_.empty()) throw fatal_text{fatal_};
    return std::move(places_);
  }
  std::vector<int> take_dropped() { return {dropped_.begin(), dropped_.end()}; }

 private:
  struct counted {
    int count = 1;
    int stride = 1;
  };

  void skip_blanks() {
    while (in_.accept(' ') || in_.accept('\t')) {
    }
  }
  int number(std::string_view what) {
    skip_blanks();
    return in_.number(what, 0, largest_number);
  }
  int signed_number() {
    int sign = 1;
    for (skip_blanks(); in_.peek() == '+' || in_.peek() == '-'; skip_blanks())
      if (in_.accept('-') || !in_.accept('+')) sign = -sign;
    return sign * number("a stride");
  }
  /// [:count[:stride]]
  counted read_count() {
    counted all;
    skip_blanks();
    if (!in_.accept(':')) return all;
    all.count = number("a count");
    skip_blanks();
    if (in_.accept(':')) all.stride = signed_number();
    return all;
  }

  bool is_usable(int cpu) {
    if (machine_.allows(cpu)) return true;
    dropped_.insert(cpu);
    return false;
  }

  void add_run(std::set<int>& cpus) {
    const std::size_t start = in_.position();
    int cpu = number("a CPU");
    const counted run = read_count();
    for (int i = 0; i < run.count; ++i, cpu += run.stride) {
      if (cpu < 0) return doom(start, "counts down below CPU 0");
      if (!is_usable(cpu)) return;  // libomp looks at no further one of a run
      cpus.insert(cpu);
    }
  }

  std::set<int> read_place() {
    skip_blanks();
    if (in_.accept('!')) return complement();
    std::set<int> cpus;
    if (!in_.accept('{')) {
      if (const int cpu = number("a place"); is_usable(cpu)) cpus.insert(cpu);
      return cpus;
    }
    do {
      add_run(cpus);
      skip_blanks();
    } while (in_.accept(','));
    in_.expect('}', "',', ':' or '}'");
    return cpus;
  }

  /// Two in a row give the same place again.
  std::set<int> complement() {
    std::set<int> cpus = read_place();
    is_complement_ = is_complement_ != !cpus.empty();
    return cpus;
  }

  void read_interval() {
    skip_blanks();
    const std::size_t start = in_.position();
    std::set<int> cpus = read_place();
    const bool is_complement = std::exchange(is_complement_, false);
    skip_blanks();
    const bool is_interval = in_.peek() == ':';
    const counted run = read_count();
    if (is_complement && run.count > 0) doom(start, "is the complement of a place");
    for (int i = 0; i < run.count && !cpus.empty(); ++i) {
      places_.emplace_back(cpus.begin(), cpus.end());
      if (is_interval) cpus = shifted(cpus, run.stride, i + 1 < run.count);
    }
  }

  std::set<int> shifted(const std::set<int>& cpus, int stride, bool are_needed) {
    std::set<int> next;
    for (const int cpu : cpus) {
      if (are_needed ? is_usable(cpu + stride) : machine_.allows(cpu + stride)) next.insert(cpu + stride);
    }
    return next;
  }

  /// libomp reads the CPUs only of a text that is right as a whole, so that a mistake behind this saves it.
  void doom(std::size_t start, std::string_view why) {
    if (fatal_.empty()) fatal_ = fmt::format("position {}: {}, on which libomp 19 aborts", start + 1, why);
  }

  detail::text_parser in_;
  const topology& machine_;
  std::vector<place> places_;
  std::set<int> dropped_;
  bool is_complement_ = false;
  std::string fatal_;
};

/// Number of the group of CPUs that share what `name` says; nullptr for another name. `ll_caches` is another:
/// libomp knows caches from the CPU itself, and on some virtual machines takes the second level for the last.
using group_of = int (*)(const cpu_info&);
group_of find_group(std::string_view name) {
  static const std::map<std::string_view, group_of> groups{
      {"threads", [](const cpu_info& info) { return info.cpu; }},
      {"cores", [](const cpu_info& info) { return info.core; }},
      {"sockets", [](const cpu_info& info) { return info.socket; }}};
  const auto found = groups.find(name);
  return found == groups.end() ? nullptr : found->second;
}

std::vector<place> places_by(group_of group, const topology& machine) {
  std::vector<place> places;
  std::map<int, std::size_t> index;
  for (const cpu_info& info : machine.cpus()) {
    const auto [at, is_new] = index.try_emplace(group(info), places.size());
    if (is_new) places.emplace_back();
    places[at->second].push_back(info.cpu);
  }
  for (place& each : places) std::ranges::sort(each);
  return places;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c |= 0x20;
  }
  return text;
}

constexpr std::array<std::string_view, 15> known_words{
    "threads",   "cores",      "sockets",   "ll_caches",   "numa_domains",
    "dice",      "modules",    "tiles",     "l1_caches",   "l2_caches",
    "l3_caches", "core_types", "core_effs", "proc_groups", "core_efficiencies"};

/// The longest name that the text begins with, as libomp looks at no more of it; empty for none.
std::string_view leading_word(std::string_view text) {
  std::string_view longest;
  for (const std::string_view word : known_words)
    if (text.starts_with(word) && word.size() > longest.size()) longest = word;
  return longest;
}

/// What follows a name: (count). Anything else libomp warns of, and takes the name alone.
std::size_t count_behind(std::string_view rest) {
  const std::size_t digits = rest.find_first_not_of(" \t");
  if (digits == std::string_view::npos || rest[digits] != '(') return 0;
  rest.remove_prefix(digits + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const std::size_t end = rest.find_first_not_of("0123456789");
  if (end == std::string_view::npos) return 0;
  const std::size_t close = rest.find_first_not_of(" \t", end);
  if (close == std::string_view::npos || rest[close] != ')') return 0;
  return std::strtoul(std::string{rest.substr(0, end)}.c_str(), nullptr, 10);
}

bool has_large_number(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits > 5 || (digits == 5 && text.substr(0, 5) > "65535")) return true;
    text.remove_prefix(digits);
  }
  return false;
}

places_reading read_name(const sourced& text, std::string_view word, const topology& machine) {
  const group_of group = find_group(word);
  if (group == nullptr)
    return {.meaning = places_meaning::unknown,
            .remark = fmt::format("{}: which places {} are depends on libomp", text.quoted(), word)};
  places_reading read{.places = places_by(group, machine)};
  const std::size_t count = count_behind(std::string_view{text.value}.substr(word.size()));
  if (count > 0 && count < read.places.size()) read.places.resize(count);
  return read;
}

places_reading fall_back(std::string why, std::vector<place> places) {
  return {.meaning = places_meaning::fallback, .places = std::move(places), .remark = std::move(why)};
}

place all_cpus(const topology& machine) {
  place all = machine.usable_cpus(true);
  std::ranges::sort(all);
  return all;
}

places_reading read_list(const sourced& text, const topology& machine) {
  place_reader reader{text, machine};
  places_reading read{.places = reader.read_all()};
  read.dropped = reader.take_dropped();
  if (!read.places.empty()) return read;
  read = fall_back(fmt::format("{}: none of its CPUs may be used", text.quoted()), {all_cpus(machine)});
  read.dropped = reader.take_dropped();
  return read;
}

}  // namespace

places_reading read_places(const sourced& text, const topology& machine) {
  const auto fatal = [&](const std::string& why) {
    return places_reading{.meaning = places_meaning::fatal,
                          .remark = fmt::format("{}: {}", text.quoted(), why)};
  };
  if (has_large_number(text.value)) return fatal("libomp does not take numbers above 65535");
  const std::string lowered = lower(text.value);
  if (const std::string_view word = leading_word(lowered); !word.empty())
    return read_name(text, word, machine);
  try {
    return read_list(text, machine);
  } catch (const fatal_text& found) {
    return fatal(found.why);
  } catch (const config_error& mistake) {
    return fall_back(mistake.what(), places_by(find_group("cores"), machine));
  }
}

}  // namespace yoke
