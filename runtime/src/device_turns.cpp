#include "device_turns.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <yoke/backends.hpp>
#include <yoke/configuration.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

device_run run_of_devices(int n_devices, const std::vector<std::optional<int>>& wanted, std::size_t me) {
  if (n_devices == 0) return {};
  if (std::ranges::all_of(wanted, [](const auto& each) { return each.has_value(); })) {
    int first = 0;
    for (std::size_t rank = 0; rank < me; ++rank) first += *wanted[rank];
    return {first % n_devices, std::min(*wanted[me], n_devices)};
  }
  const auto ranks = static_cast<int>(wanted.size()), place = static_cast<int>(me);
  const int first = place * n_devices / ranks, last = (place + 1) * n_devices / ranks;
  return {first, std::min(wanted[me].value_or(std::max(last - first, 1)), n_devices)};
}

namespace {

/// That of another rank: a wrong one is told there.
std::optional<int> wanted_by(const rank_beside& rank, int size) {
  if (rank.cus.empty()) return std::nullopt;
  try {
    return parse_configuration({rank.cus, "YOKE_CUS"}, rank.rank, size).gpu_units;
  } catch (const config_error&) {
    return std::nullopt;
  }
}

}  // namespace

device_turns::device_turns(const rank_of_process& of, const sourced* cus, const sourced* devices)
    : node_{of.node} {
  const auto self = std::ranges::find(of.beside, of.rank, &rank_beside::rank);
  if (self == of.beside.end()) return;
  for (const rank_beside& each : of.beside) {
    if (each.visible != self->visible || (devices == nullptr && each.devices != self->devices)) continue;
    if (each.rank == of.rank) me_ = ranks_.size();
    ranks_.push_back(each.rank);
    wanted_.push_back(cus != nullptr ? parse_configuration(*cus, each.rank, of.size).gpu_units
                                     : wanted_by(each, of.size));
  }
}

device_run device_turns::run(std::size_t n_devices, std::size_t place) const {
  return run_of_devices(static_cast<int>(n_devices), wanted_, place);
}

std::vector<device_request> device_turns::taken(const std::vector<device_request>& all) const {
  if (are_alone()) return all;
  const device_run mine = run(all.size(), me_);
  std::vector<device_request> some;
  for (int i = 0; i < mine.n; ++i) some.push_back(all[static_cast<std::size_t>(mine.first + i) % all.size()]);
  return some;
}

/// Emulated ones never are: each process has its own.
bool device_turns::are_too_few(const std::vector<device_request>& all) const {
  std::size_t n = 0;
  for (std::size_t place = 0; place < ranks_.size(); ++place)
    n += static_cast<std::size_t>(run(all.size(), place).n);
  return n > all.size() && !std::ranges::all_of(all, [](const auto& each) { return each.of->emulated; });
}

std::string device_turns::note(const std::vector<device_request>& all) const {
  if (are_alone() || all.empty() || ranks_[me_] != 0) return "";
  const bool too_few = are_too_few(all);
  const bool takes_any = std::ranges::any_of(wanted_, [](const auto& each) { return each.value_or(1) > 0; });
  if (!takes_any || (all.size() == 1 && !too_few)) return "";
  const std::string who = fmt::format("ranks {} to {} on {}", ranks_.front(), ranks_.back(), node_);
  if (all.size() == 1)
    return fmt::format("{} use the same device, {}, which slows them down", who, yoke::name_of(all.front()));
  std::string names;
  for (const device_request& each : taken(all)) names += (names.empty() ? "" : ",") + yoke::name_of(each);
  return fmt::format("{} see the same {} devices, and take them by local rank{}; rank 0 takes {}", who,
                     all.size(), too_few ? ", some of them the same ones, which slows them down" : "",
                     names.empty() ? "none" : names);
}

}  // namespace yoke::detail
