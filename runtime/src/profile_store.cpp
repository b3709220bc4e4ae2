#include "profile_store.hpp"

#include "loop_protocol.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include <yoke/endings.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

namespace fs = std::filesystem;

constexpr double seconds_a_day = 24 * 60 * 60;
/// Of one runtime: a program may make a loop in each of its steps.
constexpr std::size_t most_loops = 32;

double now_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// FNV-1a.
class digest {
 public:
  template <class Value>
  void add(const std::vector<Value>& values) {
    for (const Value& value : values) {
      unsigned char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      for (const unsigned char byte : bytes) sum_ = (sum_ ^ byte) * 0x100000001b3U;
    }
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

std::string text_of(const workload& work) {
  digest numbers;
  numbers.add(work.weights);
  numbers.add(work.bytes);
  return fmt::format("{}{}{} tasks {:016x}", work.name, work.name.empty() ? "" : ", ", work.n_tasks,
                     numbers.sum());
}

/// The rules of cache folders: a relative XDG_CACHE_HOME counts as none. A home that is not there is nobody's
/// (that of a service, of a user of a container) and is not made.
std::optional<fs::path> cache_folder() {
  const std::optional<std::string> cache = get_environment("XDG_CACHE_HOME"), home = get_environment("HOME");
  std::error_code missing;
  if (cache && fs::path{*cache}.is_absolute()) return *cache;
  if (home && fs::path{*home}.is_absolute() && fs::is_directory(*home, missing))
    return fs::path{*home} / ".cache";
  return std::nullopt;
}

}  // namespace

void check_profile(const sourced& place) {
  if (!place.value.empty()) return;
  throw config_error{
      fmt::format("{}: the path is empty; accepted: none, or the path of a file", place.quoted())};
}

std::optional<profile_path> find_profile(sourced& place) {
  if (place.origin != "default") {
    check_profile(place);
    if (place.value == "none") return std::nullopt;
    return profile_path{.path = fs::absolute(place.value).string()};
  }
  const std::optional<fs::path> folder = cache_folder();
  place.value = folder ? (*folder / "yoke" / "profiles.json").string() : "none";
  if (!folder) return std::nullopt;
  return profile_path{.path = place.value, .is_own = true};
}

profile_store::profile_store(profile_path file, profile_key common)
    : file_{std::move(file)}, common_{std::move(common)} {
  try {
    book_ = read_book(file_.path);
    if (!book_.is_empty() && !book_.has_machine(common_.machine))
      note_ = fmt::format("profile: {} has nothing of this machine; speeds are learnt again",
                          printable(file_.path));
    if (const std::string damage = book_.damage(); !damage.empty())
      note_ = fmt::format("profile: {}: {}", printable(file_.path), damage);
  } catch (const config_error& problem) {
    is_kept_ = file_.is_own;
    note_ = fmt::format("{}; speeds are learnt again{}", problem.what(), is_kept_ ? "" : ", and not kept");
  }
}

profile_store::~profile_store() {
  if (learnt_.empty()) return;
  try {
    add_to_file(file_, std::move(learnt_));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "yoke: %s; what was learnt is not kept\n", printable_lines(problem.what()).c_str());
  }
}

profile_key profile_store::key_of(const workload& work, std::string_view schedule) {
  profile_key key = common_;
  key.work = valid_text(text_of(work));
  key.schedule = valid_text(schedule);
  const std::lock_guard guard{lock_};
  const int number = ++loops_[key.work + "\n" + key.schedule];
  if (number > 1) key.work += fmt::format(", loop {}", number);
  return key;
}

profile profile_store::earlier(const profile_key& key, const workload& work,
                               std::span<const unit> units) const {
  const profile_entry* const entry = book_.find(key);
  if (entry == nullptr) return {};
  const double now = now_since_1970();
  std::vector<aged_profile> runs;
  for (const kept_run& run : entry->runs) runs.push_back({run.learnt, (now - run.when) / seconds_a_day});
  return merged(runs, work, units);
}

void profile_store::keep(const profile_key& key, profile learnt) {
  learnt = profile_book::readable(std::move(learnt));
  if (!is_kept_ || std::ranges::none_of(learnt.units, &unit_profile::is_known)) return;
  const std::lock_guard guard{lock_};
  if (learnt_.size() < most_loops)
    learnt_.emplace_back(key, kept_run{.when = now_since_1970(), .learnt = std::move(learnt)});
}

loop_profile::loop_profile(std::shared_ptr<profile_store> store, profile_key key, const learner& of,
                           const loop_protocol& protocol)
    : store_{std::move(store)}, key_{std::move(key)}, of_{of}, protocol_{protocol} {}

loop_profile::~loop_profile() {
  if (protocol_.is_stopped() || leaves_all()) return;
  try {
    store_->keep(key_, of_.learnt());
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "yoke: profile: %s\n",
                 printable_lines(problem.what()).c_str());  // a destructor cannot throw
  }
}

}  // namespace yoke::detail
