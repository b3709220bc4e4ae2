#include "audit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <vector>

#include <yoke/backends.hpp>

namespace tools {

namespace {

using yoke::accelerator_kind;

std::size_t count(const surroundings& around, accelerator_kind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(around.machine.accelerators(), kind, &yoke::accelerator_info::kind));
}

/// One number of a list of devices that is not there, or is there twice; empty where all are right. Names
/// stand for themselves.
std::string mistake_in(const std::string& list, std::size_t devices) {
  std::set<std::string_view> seen;
  for (const std::string_view item : yoke::detail::items_of_list(list)) {
    if (!seen.insert(item).second) return fmt::format("names {} twice", item);
    if (const auto position = yoke::detail::position_of(item); position && *position >= devices)
      return fmt::format("names {}, the machine has {}; the driver stops reading there", item, devices);
  }
  return "";
}

void audit_visible(const audit_subject& of, accelerator_kind kind, const char* variable, findings& found) {
  const std::string* list = of.around.find(variable);
  const std::size_t devices = count(of.around, kind);
  if (list == nullptr || devices == 0) return;
  if (list->empty() || *list == "-1") {
    const bool needs_some = of.shape && of.shape->gpu_units > 0;
    found.push_back({needs_some, fmt::format("{}={}: hides all {} GPUs", variable, *list, devices),
                     fmt::format("unset {}", variable)});
    return;
  }
  if (const std::string mistake = mistake_in(*list, devices); !mistake.empty())
    found.push_back(
        {true, fmt::format("{}={}: {}", variable, *list, mistake), fmt::format("unset {}", variable)});
}

void audit_number(const audit_subject& of, findings& found) {
  const std::string* devices = of.around.find("YOKE_DEVICES");
  const bool are_chosen = devices != nullptr && *devices != "auto";
  if (!of.shape || of.shape->gpu_units == 0 || are_chosen) return;
  const auto gpus =
      static_cast<int>(count(of.around, accelerator_kind::cuda) + count(of.around, accelerator_kind::hip));
  if (gpus >= of.shape->gpu_units) return;
  found.push_back({true,
                   fmt::format("{}: {} GPU compute units, and {} GPUs on the PCI bus", of.cus.quoted(),
                               of.shape->gpu_units, gpus),
                   fmt::format("export YOKE_DEVICES=emulated:{}, or ask for fewer", of.shape->gpu_units)});
}

/// Two lists that say the same: the second chooses among those that the first has left.
void audit_both_lists(const audit_subject& of, const std::vector<const char*>& lists, findings& found) {
  if (lists.size() < 2) return;
  const std::string* first = of.around.find(lists[0]);
  const std::string* second = of.around.find(lists[1]);
  if (first == nullptr || second == nullptr || *first != *second || *first == "0" || first->empty()) return;
  found.push_back({true,
                   fmt::format("{} and {} are both {}: the second numbers what the first has left", lists[0],
                               lists[1], *first),
                   fmt::format("unset {}", lists[1])});
}

void audit_driver(const audit_subject& of, findings& found) {
  if (count(of.around, accelerator_kind::cuda) == 0) return;
  if (!of.around.running.contains("nvidia-persistenced"))
    found.push_back(
        {false,
         "nvidia-persistenced does not run: without persistence mode the first use of a GPU takes seconds",
         "sudo nvidia-smi -pm 1"});
  const std::string* share = of.around.find("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
  const bool has_mps = of.around.running.contains("nvidia-cuda-mps");  // as the kernel cuts the name
  if (share != nullptr && !has_mps)
    found.push_back({true,
                     fmt::format("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE={}, and no MPS server runs", *share),
                     "nvidia-cuda-mps-control -d"});
}

void audit_locked(const audit_subject& of, findings& found) {
  constexpr std::uint64_t little = std::uint64_t{64} << 20;
  const bool has_gpus = count(of.around, accelerator_kind::hip) > 0;
  if (!has_gpus || !of.around.most_locked || *of.around.most_locked > little) return;
  found.push_back(
      {false,
       fmt::format("ulimit -l is {} KiB: pinned host memory may be refused", *of.around.most_locked >> 10),
       "ulimit -l unlimited"});
}

}  // namespace

void audit_devices(const audit_subject& of, findings& found) {
  for (const yoke::backend& each : yoke::all_backends()) {
    if (!each.numbering) continue;
    for (const char* const list : each.numbering->lists) audit_visible(of, each.numbering->kind, list, found);
    audit_both_lists(of, each.numbering->lists, found);
  }
  audit_number(of, found);
  audit_driver(of, found);
  audit_locked(of, found);
}

}  // namespace tools
