#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>

#include <yoke/error.hpp>
#include <yoke/places.hpp>

namespace yoke {

namespace {

/// The usable CPUs of each core.
std::vector<std::vector<int>> cores_of(const topology& machine, bool smt) {
  std::vector<std::vector<int>> cores;
  int last = -1;
  for (const cpu_info& info : machine.cpus()) {
    if (!smt && info.smt_rank != 0) continue;
    if (cores.empty() || info.core != last) cores.emplace_back();
    last = info.core;
    cores.back().push_back(info.cpu);
  }
  return cores;
}

/// Hands out cores from the first on; a compute unit begins a core of its own.
class core_dealer {
 public:
  explicit core_dealer(const std::vector<std::vector<int>>& cores) : cores_{cores} {}

  /// `cpus` CPUs of whole cores; nothing when they run out.
  std::optional<place> take(int cpus) {
    place taken;
    while (static_cast<int>(taken.size()) < cpus) {
      if (next_ == cores_.size()) return std::nullopt;
      const auto& core = cores_[next_++];
      const auto wanted = static_cast<std::size_t>(cpus) - taken.size();
      taken.insert(taken.end(), core.begin(),
                   core.begin() + static_cast<long>(std::min(core.size(), wanted)));
    }
    return taken;
  }

 private:
  const std::vector<std::vector<int>>& cores_;
  std::size_t next_ = 0;
};

/// CPUs that managing threads may share: those of other managing threads, else those of CPU CUs from the
/// last.
std::vector<int> shareable(const configuration& wanted, const std::vector<place>& places) {
  std::vector<int> cpus;
  for (auto i = static_cast<std::size_t>(wanted.cpu_units); i < places.size(); ++i) {
    cpus.push_back(places[i].front());
  }
  if (!cpus.empty()) return cpus;
  for (auto cu = places.rbegin(); cu != places.rend(); ++cu) cpus.push_back(cu->back());
  return cpus;
}

std::string sharing_note(const configuration& wanted, const sourced& origin, std::size_t first,
                         const std::vector<int>& shared) {
  const std::size_t last = static_cast<std::size_t>(wanted.units()) - 1;
  const auto used = std::min(shared.size(), last - first + 1);
  const std::set<int> cpus(shared.begin(), shared.begin() + static_cast<long>(used));
  return fmt::format(
      "{}: too few CPUs for all managing threads: GPU compute unit{} share{} CPU{} {} with others",
      origin.quoted(), first == last ? fmt::format(" {}", first) : fmt::format("s {} to {}", first, last),
      first == last ? "s" : "", cpus.size() == 1 ? "" : "s", fmt::join(cpus, ", "));
}

std::optional<place_assignment> try_assign(const configuration& wanted, const sourced& origin,
                                           const std::vector<std::vector<int>>& cores, bool emulated) {
  place_assignment result;
  core_dealer cpus{cores};
  const auto units = static_cast<std::size_t>(wanted.units());
  while (result.places.size() < units) {
    const bool is_cpu = result.places.size() < static_cast<std::size_t>(wanted.cpu_units);
    std::optional<place> next = cpus.take(is_cpu ? wanted.cpus_per_unit : 1);
    if (!next && (is_cpu || !emulated)) return std::nullopt;
    if (!next) break;
    result.places.push_back(std::move(*next));
  }
  const std::size_t first = result.places.size();
  if (first == units) return result;
  const std::vector<int> shared = shareable(wanted, result.places);
  if (shared.empty()) return std::nullopt;
  for (std::size_t i = first; i < units; ++i) result.places.push_back({shared[(i - first) % shared.size()]});
  result.note = sharing_note(wanted, origin, first, shared);
  return result;
}

/// The wanted one with fewer CPU CUs; else one smaller CPU CU; else fewer GPU CUs alone.
configuration largest_that_fits(const configuration& wanted, const std::vector<std::vector<int>>& cores,
                                bool emulated) {
  const auto fits = [&](const configuration& smaller) {
    return try_assign(smaller, {}, cores, emulated).has_value();
  };
  int all = 0;
  for (const auto& core : cores) all += static_cast<int>(core.size());
  configuration smaller = wanted;
  for (smaller.cpu_units = std::min(wanted.cpu_units, all); smaller.cpu_units > 0; --smaller.cpu_units) {
    if (fits(smaller)) return smaller;
  }
  smaller.cpu_units = wanted.cpu_units > 0 ? 1 : 0;
  for (smaller.cpus_per_unit = std::min(wanted.cpus_per_unit, all); smaller.cpus_per_unit > 0;
       --smaller.cpus_per_unit) {
    if (fits(smaller)) return smaller;
  }
  return {.gpu_units = std::min(wanted.gpu_units, static_cast<int>(cores.size()))};
}

[[noreturn]] void refuse(const configuration& wanted, const sourced& origin, const topology& machine,
                         bool smt, bool emulated) {
  const auto cores = cores_of(machine, smt);
  const std::size_t usable = machine.usable_cpus(smt).size();
  const int own = emulated ? 0 : wanted.gpu_units;
  std::string remark;
  if (smt) remark = fmt::format(" on {} cores, and a compute unit takes whole cores", cores.size());
  if (!smt && usable < machine.cpus().size()) {
    remark =
        fmt::format(", one for each core (YOKE_SMT=1 uses all {} hardware threads)", machine.cpus().size());
  }
  throw config_error{fmt::format(
      "{}: {} needs {} CPUs{}, this process may use {}{}; the largest configuration that fits is {}",
      origin.quoted(), wanted.text(), wanted.cpu_units * wanted.cpus_per_unit + own,
      own > 0 ? " (one for each GPU)" : "", usable, remark,
      largest_that_fits(wanted, cores, emulated).text())};
}

}  // namespace

place_assignment assign_places(const configuration& wanted, const sourced& origin, const topology& machine,
                               bool smt, bool emulated_devices) {
  auto assigned = try_assign(wanted, origin, cores_of(machine, smt), emulated_devices);
  if (!assigned) refuse(wanted, origin, machine, smt, emulated_devices);
  return std::move(*assigned);
}

std::string places_text(const std::vector<place>& places) {
  std::string text;
  for (const place& each : places) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(each, ","));
  }
  return text;
}

configuration default_configuration(const topology& machine, bool smt, int vendor_gpus, int emulated_gpus) {
  const auto cores = cores_of(machine, smt);
  const int n = static_cast<int>(cores.size());
  const int gpus = std::min(vendor_gpus, n);
  configuration all{.gpu_units = gpus + emulated_gpus};
  if (n == gpus) return all;
  all.cpu_units = n - gpus;
  all.cpus_per_unit = static_cast<int>(std::ranges::min(cores, {}, &std::vector<int>::size).size());
  return all;
}

}  // namespace yoke
