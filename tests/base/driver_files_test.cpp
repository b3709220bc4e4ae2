/// What drivers write about GPUs, in folders of a test's own.
#include "../../base/src/driver_files.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <support/catch.hpp>
#include <support/scratch_folder.hpp>

using yoke::accelerator_info;
using yoke::accelerator_kind;
using yoke::detail::told_by_drivers;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << text;
}

std::vector<accelerator_info> some_gpus() {
  return {{.kind = accelerator_kind::cuda, .pci = "0000:01:00.0", .model = "10de:2335"},
          {.kind = accelerator_kind::cuda, .pci = "0000:02:00.0", .model = "10de:2335"},
          {.kind = accelerator_kind::hip, .pci = "0000:03:00.0", .model = "1002:74a1"}};
}

}  // namespace

TEST_CASE("without drivers GPUs are what the bus says", "[drivers]") {
  const support::scratch_folder root;
  const auto told = told_by_drivers(some_gpus(), root.path());
  REQUIRE(told.size() == 3);
  CHECK(told[0].model == "10de:2335");
  CHECK(told[2].model == "1002:74a1");
}

TEST_CASE("NVIDIA's driver names the GPUs that the process may use, and no others are there", "[drivers]") {
  const support::scratch_folder root;
  write(root / "proc/driver/nvidia/gpus/0000:02:00.0/information", "IRQ: \t 7\nModel: \t\t NVIDIA H200\n");
  const auto told = told_by_drivers(some_gpus(), root.path());
  REQUIRE(told.size() == 2);
  CHECK(told[0].pci == "0000:02:00.0");
  CHECK(told[0].model == "NVIDIA H200");
  CHECK(told[1].kind == accelerator_kind::hip);
}

TEST_CASE("a driver that names no model leaves what the bus says", "[drivers]") {
  const support::scratch_folder root;
  write(root / "proc/driver/nvidia/gpus/0000:01:00.0/information", "IRQ: 7\nModel: \t\n");
  write(root / "proc/driver/nvidia/gpus/0000:02:00.0/information", "");
  write(root / "sys/bus/pci/devices/0000:03:00.0/product_name", "AMD Instinct MI300X\n");
  const auto told = told_by_drivers(some_gpus(), root.path());
  REQUIRE(told.size() == 3);
  CHECK(told[0].model == "10de:2335");
  CHECK(told[1].model == "10de:2335");
  CHECK(told[2].model == "AMD Instinct MI300X");
}
