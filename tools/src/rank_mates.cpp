#include "rank_mates.hpp"

#include "audit.hpp"
#include "json_fields.hpp"
#include "layout.hpp"
#include "system_texts.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;
using variable_map = std::map<std::string, std::string>;

/// Of the first of these that is set, a number; -1: of none.
int first_number(const variable_map& all, std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const auto found = all.find(name); found != all.end() && !found->second.empty())
      return leading_number_in(found->second);
  return -1;
}

std::string value_of(const variable_map& all, const char* name) {
  const auto found = all.find(name);
  return found == all.end() ? "" : found->second;
}

/// Launchers that give none start all ranks of a node from one process.
std::string job_in(const variable_map& all, const std::string& parent) {
  std::string job = value_of(all, "PMIX_NAMESPACE");
  if (job.empty() && all.contains("SLURM_STEP_ID"))
    job = value_of(all, "SLURM_JOB_ID") + "." + value_of(all, "SLURM_STEP_ID");
  if (job.empty()) job = parent;
  std::ranges::replace_if(job, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return job;
}

/// Its number, and when it has begun: numbers of processes come again.
std::string parent_of_this_process() {
  const std::string stat = contents_of(fmt::format("/proc/{}/stat", getppid()));
  std::istringstream fields{stat.substr(std::min(stat.size(), stat.rfind(')') + 1))};
  const std::vector<std::string> words{std::istream_iterator<std::string>{fields}, {}};
  constexpr std::size_t start = 19;  // counted from the state
  return fmt::format("{}-{}", getppid(), words.size() > start ? words[start] : "");
}

fs::path file_of(const fs::path& folder, int place) { return folder / std::to_string(place); }

/// Whole, or not at all: then the others wait in vain.
void leave_word(const fs::path& file, const std::string& text) {
  const fs::path part = file.native() + ".part";
  try {
    write_text(part, text);
  } catch (const yoke::config_error&) {
    return;
  }
  std::error_code ignored;
  fs::rename(part, file, ignored);
}

/// Until all have left one, in a folder that nobody else can write.
bool all_have_come(const fs::path& folder, int n, const char* suffix, yoke::seconds patience) {
  const yoke::ticks from = yoke::now();
  const auto has_come = [&](int place) {
    std::error_code ignored;
    return fs::exists(file_of(folder, place).native() + suffix, ignored);
  };
  for (int place = 0; place < n;) {
    if (has_come(place))
      ++place;
    else if (yoke::elapsed(from, yoke::now()) > patience)
      return false;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  return true;
}

json as_json(const rank_mate& of) {
  return {{"rank", of.rank}, {"cpus", of.cpus}, {"cores", of.cores}, {"gpus", of.gpus}};
}
std::optional<rank_mate> mate_in(const std::string& text) {
  try {
    const json all = json::parse(text);
    return rank_mate{all.at("rank"), all.at("cpus"), all.at("cores"), all.at("gpus")};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

bool is_own_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  struct stat found{};
  return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == getuid();
}

/// Cores by their first CPU, for a mask may leave out others of a core.
std::vector<int> cores_of(std::span<const int> cpus) {
  std::set<int> cores;
  for (const int cpu : cpus) {
    const std::string list =
        contents_of(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    cores.insert(list.empty() ? cpu : leading_number_in(list));
  }
  return {cores.begin(), cores.end()};
}

/// As their driver calls them, whatever this process sees of them. None where the settings are none.
std::vector<std::string> gpus_used(const std::string& cus, const std::string& devices) {
  std::vector<std::string> all;
  try {
    auto wanted = static_cast<std::size_t>(-1);
    if (!cus.empty())
      wanted = static_cast<std::size_t>(yoke::parse_configuration({cus, "YOKE_CUS"}).gpu_units);
    for (const auto& each : yoke::parse_device_list({devices_of(devices), "YOKE_DEVICES"}).requests) {
      if (all.size() >= wanted) break;
      if (each.of->emulated) continue;
      const std::string name = each.of->numbering ? yoke::name_of_visible(*each.of->numbering, each.index)
                                                  : std::to_string(each.index);
      all.push_back(fmt::format("{}:{}", each.of->name, name));
    }
  } catch (const yoke::config_error&) {
    return {};  // who needs them says so
  }
  return all;
}

}  // namespace

std::optional<launch> launch_in(const variable_map& all, const std::string& parent) {
  launch found;
  found.n_of_node =
      first_number(all, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                         "PALS_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"});
  found.place = first_number(all, {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                   "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID", "SLURM_LOCALID"});
  found.rank =
      first_number(all, {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID", "SLURM_PROCID"});
  if (found.n_of_node < 2 || found.place < 0 || found.place >= found.n_of_node) return std::nullopt;
  if (found.rank < 0) found.rank = found.place;
  found.job = job_in(all, parent);
  return found;
}

std::vector<rank_mate> meet(const launch& of, const rank_mate& mine, const fs::path& folder,
                            yoke::seconds patience) {
  if (!is_own_folder(folder)) return {};
  const fs::path own = file_of(folder, of.place);
  leave_word(own, yoke::detail::json_text(as_json(mine)));
  std::error_code ignored;
  if (!all_have_come(folder, of.n_of_node, "", patience)) {
    fs::remove(own, ignored);
    fs::remove(folder, ignored);  // the last one can
    return {};
  }
  std::vector<rank_mate> all;
  for (int place = 0; place < of.n_of_node; ++place)
    if (auto read = mate_in(contents_of(file_of(folder, place)))) all.push_back(std::move(*read));
  leave_word(own.native() + ".seen", "");
  if (of.place == 0) {
    all_have_come(folder, of.n_of_node, ".seen", patience);
    fs::remove_all(folder, ignored);
  }
  return std::ssize(all) == of.n_of_node ? all : std::vector<rank_mate>{};
}

void meet_ranks(surroundings& around, const char* command, const std::string& cus,
                const std::string& devices) {
  const std::optional<launch> me = launch_in(around.variables, parent_of_this_process());
  if (!me) return;
  const std::string* const given = around.find("YOKE_CUS");
  const std::vector<int> cpus = around.machine.usable_cpus(true);
  const rank_mate mine{me->rank, cpus, cores_of(cpus),
                       gpus_used(!cus.empty() || given == nullptr ? cus : *given, devices)};
  constexpr yoke::seconds patience = 5;
  std::error_code ignored;
  const fs::path folder =
      fs::temp_directory_path(ignored) / fmt::format("yoke-ranks-{}-{}-{}", getuid(), command, me->job);
  around.mates = meet(*me, mine, folder, patience);
  around.place = me->place;
}

std::vector<std::string> notes_on_ranks(const char* command, const std::string& cus,
                                        const std::string& devices, std::optional<launch>& me) {
  variable_map all;
  for (auto& [name, value] : yoke::detail::environment_with("")) all.emplace(name, value);
  me = launch_in(all, "");
  if (!me) return {};
  surroundings around = surroundings_of_this_process();
  meet_ranks(around, command, cus, devices);
  findings found;
  if (me->place == 0) audit_ranks({.around = around}, found);
  std::vector<std::string> notes;
  for (const finding& each : found) notes.push_back(fmt::format("{}; {}", each.what, each.mend));
  return notes;
}

}  // namespace tools
