#include "driver_files.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace yoke::detail {

namespace {

/// NVIDIA's driver: "Model: <tabs> NVIDIA H200"; AMD's: the name alone. Empty where no driver tells.
std::string model_told(const std::string& pci, const std::filesystem::path& root) {
  std::string line;
  std::ifstream nvidia{root / "proc/driver/nvidia/gpus" / pci / "information"};
  while (std::getline(nvidia, line)) {
    const std::size_t start = line.find_first_not_of(" \t", std::string_view{"Model:"}.size());
    if (line.starts_with("Model:") && start != std::string::npos) return line.substr(start);
  }
  std::ifstream amd{root / "sys/bus/pci/devices" / pci / "product_name"};
  return std::getline(amd, line) ? line : std::string{};
}

}  // namespace

std::vector<accelerator_info> told_by_drivers(std::vector<accelerator_info> all,
                                              const std::filesystem::path& root) {
  const std::filesystem::path nvidia = root / "proc/driver/nvidia/gpus";
  std::error_code ignored;
  if (std::filesystem::is_directory(nvidia, ignored))
    std::erase_if(all, [&](const accelerator_info& each) {
      return each.kind == accelerator_kind::cuda && !std::filesystem::exists(nvidia / each.pci, ignored);
    });
  for (accelerator_info& each : all)
    if (std::string told = model_told(each.pci, root); !told.empty()) each.model = std::move(told);
  return all;
}

}  // namespace yoke::detail
