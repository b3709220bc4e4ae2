// _YOKE_SET=process:start:cpus;NAME=value;…  as in  _YOKE_SET=4711:81234:0,1;OMP_PLACES={0},{1};bound=1
#include "process_stat.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <yoke/affinity.hpp>
#include <yoke/descriptor.hpp>
#include <yoke/environment_mark.hpp>
#include <yoke/output_file.hpp>
#include <yoke/settings.hpp>

namespace yoke::detail {

namespace {

// Not YOKE_…: what begins so is a setting of the user's.
constexpr const char* mark_name = "_YOKE_SET";
/// Beside variables: whether threads were bound.
constexpr const char* bound_name = "bound";
constexpr const char* checker_name = "_YOKE_TELL";

struct mark {
  std::string process;
  std::string cpus;
  std::map<std::string, std::string, std::less<>> values;

  bool is_of(std::string_view variable, const std::string& value) const {
    const auto ours = values.find(variable);
    return ours != values.end() && ours->second == value;
  }
};

/// Writers of one process take turns.
std::mutex& writing() {
  static std::mutex one;
  return one;
}

/// Whether `process` has started this one, itself or by a shell: what a launcher between them sets is meant.
bool has_started(const std::string& process, const process_seen& child) {
  constexpr std::array shells{"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "fish"};
  const process_seen parent = look_at(child.parent);
  if (parent.identity == process) return true;
  return std::ranges::find(shells, parent.name) != shells.end() && look_at(parent.parent).identity == process;
}

std::optional<mark> read_mark() {
  const std::optional<std::string> text = get_environment(mark_name);
  if (!text) return std::nullopt;
  std::string_view rest{*text};
  std::string_view head = take(rest, ';');
  mark read;
  read.process = take(head, ':');
  read.process.append(1, ':').append(take(head, ':'));
  read.cpus = head;
  while (!rest.empty()) {
    std::string_view value = take(rest, ';');
    const std::string_view name = take(value, '=');
    read.values.emplace(name, value);
  }
  return read;
}

void write_mark(const mark& made) {
  std::string text = made.process + ':' + made.cpus;
  for (const auto& [name, value] : made.values) text += ';' + name + '=' + value;
  set_environment(mark_name, text);
}

std::vector<int> numbers(std::string_view text) {
  std::vector<int> all;
  while (!text.empty()) all.push_back(std::atoi(std::string{take(text, ',')}.c_str()));
  std::ranges::sort(all);
  return all;
}

/// Whether one of the places "{0,1},{2}" has just these CPUs.
bool is_place(const std::vector<int>& cpus, std::string_view places) {
  while (!places.empty()) {
    std::string_view place = take(places, '}');
    take(place, '{');
    if (numbers(place) == cpus) return true;
  }
  return false;
}

}  // namespace

bool is_set_by_user(const char* variable) {
  const std::optional<std::string> value = get_environment(variable);
  if (!value) return false;
  const std::optional<mark> ours = read_mark();
  return !ours || !ours->is_of(variable, *value);
}

void set_as_yoke(const char* variable, const std::string& value) {
  const std::scoped_lock lock{writing()};
  if (is_set_by_user(variable)) return;
  mark ours = read_mark().value_or(mark{});
  if (const std::string process = look_at("self").identity; ours.process != process) {
    ours.process = process;
    ours.values.erase(bound_name);
    ours.cpus = fmt::format("{}", fmt::join(allowed_cpus_at_start(), ","));
  }
  ours.values.insert_or_assign(variable, value);
  set_environment(variable, value);
  write_mark(ours);
}

void mark_bound_threads() {
  const std::scoped_lock lock{writing()};
  std::optional<mark> ours = read_mark();
  if (!ours || !ours->values.try_emplace(bound_name, "1").second) return;
  write_mark(*ours);
}

std::optional<earlier_cpus> cpus_before_binding() {
  const std::optional<mark> ours = read_mark();
  if (!ours) return std::nullopt;
  const process_seen self = look_at("self");
  const bool by_parent = ours->process != self.identity;
  if (by_parent && !(ours->values.contains(bound_name) && has_started(ours->process, self)))
    return std::nullopt;
  const auto places = ours->values.find("OMP_PLACES");
  if (places == ours->values.end() || !is_place(affinity_of_this_thread(), places->second))
    return std::nullopt;
  return earlier_cpus{numbers(ours->cpus), by_parent};
}

// A file of this user's that is there, under its only name: whatever else the variable has come to name, it
// was not made for this.
void tell_checker(const std::vector<std::string>& lines) {
  const std::optional<std::string> file = get_environment(checker_name);
  if (!file) return;
  constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int descriptor = above_standard_streams(open(file->c_str(), flags));
  if (descriptor < 0) return;
  struct stat found{};
  const bool is_for_us = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
                         found.st_uid == geteuid() && found.st_nlink == 1;
  // One write for all: processes of one program tell theirs at once.
  const std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
  if (is_for_us) static_cast<void>(write_all(descriptor, text));
  close(descriptor);
}

void listen_to_children(const std::string& file) { set_environment(checker_name, file); }

}  // namespace yoke::detail
