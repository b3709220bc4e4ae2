#include "core_dealer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>

#include <yoke/error.hpp>
#include <yoke/places.hpp>

namespace yoke {

namespace {

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

/// What is asked for and on what.
struct request {
  const configuration& wanted;
  const topology& machine;
  const device_cpus& near;
  bool smt = false;
  bool emulated = false;
};

std::size_t as_size(int count) { return static_cast<std::size_t>(count); }

/// For each of the first `count` GPU CUs the CPUs of `from` that are near its device, or all.
device_cpus near_among(const std::vector<int>& from, const device_cpus& near, std::size_t count) {
  device_cpus lists(count, from);
  for (std::size_t i = 0; i < std::min(count, near.size()); ++i) {
    if (!near[i].empty())
      std::erase_if(lists[i], [&](int cpu) { return std::ranges::count(near[i], cpu) == 0; });
  }
  return lists;
}

/// Cores that stay free of CPU CUs: near the devices, and as far behind, or in front, as may be.
std::vector<int> reserved(const request& in, const detail::core_dealer& cores, std::size_t hosts,
                          bool behind) {
  std::vector<int> free = cores.free_hosts();
  if (behind) std::ranges::reverse(free);
  return unique_hosts(in.machine, near_among(free, in.near, hosts));
}

/// Places with `hosts` managing threads on cores of their own.
std::optional<std::vector<place>> deal(const request& in, std::size_t hosts, bool behind) {
  detail::core_dealer cores{detail::usable_cores(in.machine, in.smt)};
  if (hosts > cores.free_hosts().size()) return std::nullopt;
  detail::core_dealer left = cores;
  for (const int cpu : reserved(in, cores, hosts, behind)) left.reserve(cpu);
  std::vector<place> places;
  for (int i = 0; i < in.wanted.cpu_units; ++i) {
    std::optional<place> next = left.take(in.wanted.cpus_per_unit);
    if (!next) return std::nullopt;
    cores.reserve_all(*next);
    places.push_back(std::move(*next));
  }
  for (const int cpu : unique_hosts(in.machine, near_among(cores.free_hosts(), in.near, hosts)))
    places.push_back({cpu});
  return places;
}

/// As many managing threads as can be have cores of their own; fewer than all only where devices are
/// emulated.
std::optional<std::vector<place>> deal(const request& in) {
  const auto cores = detail::usable_cores(in.machine, in.smt).size();
  for (std::size_t hosts = std::min(as_size(in.wanted.gpu_units), cores);; --hosts) {
    if (!in.emulated && hosts < as_size(in.wanted.gpu_units)) return std::nullopt;
    for (const bool behind : {true, false}) {
      if (auto places = deal(in, hosts, behind)) return places;
    }
    if (hosts == 0) return std::nullopt;
  }
}

std::optional<place_assignment> try_assign(const request& in, const sourced& origin) {
  std::optional<std::vector<place>> dealt = deal(in);
  if (!dealt) return std::nullopt;
  place_assignment result{.places = std::move(*dealt)};
  const std::size_t first = result.places.size();
  const auto units = as_size(in.wanted.units());
  if (first == units) return result;
  const std::vector<int> shared = shareable(in.wanted, result.places);
  if (shared.empty()) return std::nullopt;
  for (std::size_t i = first; i < units; ++i) result.places.push_back({shared[(i - first) % shared.size()]});
  result.note = sharing_note(in.wanted, origin, first, shared);
  return result;
}

/// The most that fits of [1, most]; 0 for none. What fits fits with less.
template <class Fits>
int largest(int most, const Fits& fits) {
  int good = 0;
  for (int bad = most + 1; bad - good > 1;) {
    const int middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

/// The wanted one with fewer CPU CUs; else one smaller CPU CU; else fewer GPU CUs alone.
configuration largest_that_fits(const request& in) {
  configuration smaller = in.wanted;
  const auto fits = [&] { return deal({smaller, in.machine, in.near, in.smt, in.emulated}).has_value(); };
  const int all = static_cast<int>(in.machine.usable_cpus(in.smt).size());
  const int n = largest(std::min(in.wanted.cpu_units, all), [&](int units) {
    smaller.cpu_units = units;
    return fits();
  });
  smaller.cpu_units = n > 0 ? n : std::min(in.wanted.cpu_units, 1);
  if (n > 0) return smaller;
  smaller.cpus_per_unit = largest(std::min(in.wanted.cpus_per_unit, all), [&](int cpus) {
    smaller.cpus_per_unit = cpus;
    return fits();
  });
  if (smaller.cpus_per_unit > 0) return smaller;
  const auto cores = detail::usable_cores(in.machine, in.smt).size();
  return {.gpu_units = std::min(in.wanted.gpu_units, static_cast<int>(cores))};
}

/// Why the process has so few.
std::string remark_on(const request& in, std::size_t usable) {
  const std::size_t threads = in.machine.cpus().size();
  std::string remark;
  if (in.smt)
    remark = fmt::format(" on {} cores, and a compute unit takes whole cores", in.machine.n_cores());
  if (!in.smt && usable < threads)
    remark = fmt::format(", one for each core (YOKE_SMT=1 uses all {} hardware threads)", threads);
  const auto [slow, fast] = std::ranges::minmax(in.machine.cpus(), {}, &cpu_info::kind);
  if (slow.kind != fast.kind) remark += ", of cores of several kinds, which no compute unit mixes";
  return remark;
}

[[noreturn]] void refuse(const request& in, const sourced& origin) {
  const configuration& wanted = in.wanted;
  const std::size_t usable = in.machine.usable_cpus(in.smt).size();
  const int own = in.emulated ? 0 : wanted.gpu_units;
  throw config_error{fmt::format(
      "{}: {} needs {} CPUs{}, this process may use {}{}{}; the largest configuration that fits is {}",
      origin.quoted(), wanted.text(), wanted.cpu_units * wanted.cpus_per_unit + own,
      own > 0 ? " (one for each GPU)" : "", usable, remark_on(in, usable), in.machine.remark(),
      largest_that_fits(in).text())};
}

}  // namespace

place_assignment assign_places(const configuration& wanted, const sourced& origin, const topology& machine,
                               bool smt, bool emulated_devices, const device_cpus& near) {
  const request in{wanted, machine, near, smt, emulated_devices};
  auto assigned = try_assign(in, origin);
  if (!assigned) refuse(in, origin);
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
  const auto cores = detail::usable_cores(machine, smt);
  const int n = static_cast<int>(cores.size());
  const int gpus = std::min(vendor_gpus, n);
  configuration all{.gpu_units = gpus + emulated_gpus};
  if (n == gpus) return all;
  all.cpu_units = n - gpus;
  const auto threads = [](const detail::usable_core& core) { return core.cpus.size(); };
  all.cpus_per_unit = static_cast<int>(threads(std::ranges::min(cores, {}, threads)));
  return all;
}

}  // namespace yoke
