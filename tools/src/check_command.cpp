#include "audit.hpp"
#include "commands.hpp"
#include "layout.hpp"
#include "rank_mates.hpp"
#include "sampling.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include <yoke/error.hpp>
#include <yoke/places_text.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

using yoke::detail::printable_lines;

json as_json(const findings& found) {
  json all = json::array();
  for (const finding& each : found)
    all.push_back({{"wrong", each.is_wrong}, {"what", each.what}, {"mend", each.mend}});
  return all;
}

void print(const findings& found) {
  for (const finding& each : found)
    fmt::print("{}: {}\n  {}\n", each.is_wrong ? "wrong" : "may cost time", printable_lines(each.what),
               printable_lines(each.mend));
  if (found.empty()) fmt::print("nothing is wrong\n");
}

/// The places of the program's compute units, where they can be told.
std::vector<yoke::place> places_of(const check_options& options, const surroundings& around) {
  const std::string* given = around.find("YOKE_CUS");
  const std::string cus = !options.cus.empty() ? options.cus : given != nullptr ? *given : "";
  const std::string* users = around.find("OMP_PLACES");
  if (users != nullptr) return yoke::read_places({*users, "OMP_PLACES"}, around.machine).places;
  if (cus.empty()) return {};
  const std::string* devices = around.find("YOKE_DEVICES");
  const std::string* smt = around.find("YOKE_SMT");
  try {
    return lay_out(around.machine, smt != nullptr && *smt == "1", {cus, "YOKE_CUS"},
                   devices != nullptr ? *devices : "")
        .places;
  } catch (const yoke::config_error&) {
    return {};  // the audit has said why
  }
}

/// The unit on whose CPUs the thread was seen most; nothing where it was seen on none.
std::optional<std::size_t> unit_of(const thread_seen& thread, const std::vector<yoke::place>& places) {
  std::optional<std::size_t> best;
  int most = 0;
  for (std::size_t unit = 0; unit < places.size(); ++unit) {
    int seen = 0;
    for (const int cpu : places[unit]) {
      if (const auto at = thread.on.find(cpu); at != thread.on.end()) seen += at->second;
    }
    if (seen > most) {
      most = seen;
      best = unit;
    }
  }
  return best;
}

json as_json(const program_seen& seen, const std::vector<yoke::place>& places) {
  json threads = json::array();
  for (const auto& [id, thread] : seen.threads) {
    json one{{"thread", id}, {"name", thread.name}, {"allowed", thread.allowed}, {"samples", thread.seen}};
    for (const auto& [cpu, times] : thread.on) one["on"].push_back({{"cpu", cpu}, {"samples", times}});
    if (const auto unit = unit_of(thread, places)) one["unit"] = *unit;
    threads.push_back(std::move(one));
  }
  return {{"status", seen.status}, {"said", seen.said}, {"threads", std::move(threads)}};
}

std::string where(const thread_seen& thread) {
  std::string text;
  for (const auto& [cpu, times] : thread.on)
    text += fmt::format("{}{} ({:.0f}%)", text.empty() ? "" : ", ", cpu, 100.0 * times / thread.seen);
  return text.empty() ? "never seen running" : "on CPU " + text;
}

void print(const program_seen& seen, const std::vector<yoke::place>& places) {
  if (seen.status == cannot_run && seen.threads.empty()) return;
  if (!seen.said.empty()) fmt::print("what its runtimes say\n");
  for (const std::string& line : seen.said) fmt::print("  {}\n", line);
  fmt::print("where its threads ran, by samples\n");
  for (const auto& [id, thread] : seen.threads) {
    const auto unit = unit_of(thread, places);
    fmt::print("  {:<6} thread {} ({}): {}; may use {}\n", unit ? fmt::format("CU {}", *unit) : "-", id,
               thread.name, where(thread), thread.allowed);
  }
}

}  // namespace

int run_check(const check_options& options) {
  surroundings around = surroundings_of_this_process();
  meet_ranks(around, "check", options.cus, "");
  const findings found = audit(around, options.cus);
  const bool is_wrong = std::ranges::any_of(found, &finding::is_wrong);
  json all{{"findings", as_json(found)}};
  if (!options.json) print(found);
  int status = is_wrong ? found_wrong : fine;
  if (!options.program.empty()) {
    std::fflush(stdout);
    if (!options.cus.empty()) yoke::detail::set_environment("YOKE_CUS", options.cus);
    const program_seen seen =
        run_and_sample(options.program, options.json ? output::to_stderr : output::as_it_is);
    const std::vector<yoke::place> places = places_of(options, around);
    all["program"] = as_json(seen, places);
    if (!options.json) print(seen, places);
    if (seen.status != 0) status = seen.status;
  }
  if (options.json) print_json(all);
  return status;
}

}  // namespace tools
