#include "audit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <yoke/device_affinity.hpp>

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
  std::set<std::string> seen;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string item = list.substr(at, end - at);
    at = end + 1;
    if (!seen.insert(item).second) return fmt::format("names {} twice", item);
    const bool is_number =
        !item.empty() && item.size() < 7 && item.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && std::stoul(item) >= devices)
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
  const bool emulated =
      of.around.find("YOKE_DEVICES") != nullptr && *of.around.find("YOKE_DEVICES") != "auto";
  if (!of.shape || of.shape->gpu_units == 0 || emulated) return;
  const auto gpus =
      static_cast<int>(count(of.around, accelerator_kind::cuda) + count(of.around, accelerator_kind::hip));
  if (gpus >= of.shape->gpu_units) return;
  found.push_back({true,
                   fmt::format("{}: {} GPU compute units, and {} GPUs on the PCI bus", of.cus.quoted(),
                               of.shape->gpu_units, gpus),
                   fmt::format("export YOKE_DEVICES=emulated:{}, or ask for fewer", of.shape->gpu_units)});
}

void audit_both_vendors_lists(const audit_subject& of, findings& found) {
  const std::string* rocr = of.around.find("ROCR_VISIBLE_DEVICES");
  const std::string* hip = of.around.find("HIP_VISIBLE_DEVICES");
  if (rocr == nullptr || hip == nullptr || *rocr != *hip || *rocr == "0" || rocr->empty()) return;
  found.push_back(
      {true,
       fmt::format("ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES are both {}: the second numbers what the "
                   "first has left",
                   *rocr),
       "unset HIP_VISIBLE_DEVICES"});
}

void audit_driver(const audit_subject& of, findings& found) {
  if (count(of.around, accelerator_kind::cuda) == 0) return;
  if (!of.around.running.contains("nvidia-persistenced"))
    found.push_back(
        {false, "no nvidia-persistenced runs: without persistence mode the first use of a GPU takes seconds",
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
  audit_visible(of, accelerator_kind::cuda, "CUDA_VISIBLE_DEVICES", found);
  audit_visible(of, accelerator_kind::hip, "ROCR_VISIBLE_DEVICES", found);
  audit_visible(of, accelerator_kind::hip, "HIP_VISIBLE_DEVICES", found);
  audit_both_vendors_lists(of, found);
  audit_number(of, found);
  audit_driver(of, found);
  audit_locked(of, found);
}

}  // namespace tools
