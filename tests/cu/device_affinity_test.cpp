/// Which accelerator of a machine a program's device is, by what the environment says.
#include <array>
#include <optional>
#include <support/catch.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/device_affinity.hpp>

using support::variable;
using yoke::accelerator_kind;
using yoke::devices_in_order;
using yoke::topology;

namespace {

using positions = std::vector<std::size_t>;

/// A GPU for each letter of `models`, GPU i near CPU i, behind a network card.
topology machine(accelerator_kind kind, const std::string& models) {
  yoke::machine_parts parts;
  for (int cpu = 0; cpu < 8; ++cpu) parts.cpus.push_back({.cpu = cpu, .core = cpu});
  parts.accelerators.push_back({.kind = accelerator_kind::other, .near = {7}});
  for (int i = 0; i < static_cast<int>(models.size()); ++i)
    parts.accelerators.push_back({.kind = kind, .model = {models[static_cast<std::size_t>(i)]}, .near = {i}});
  return topology{std::move(parts)};
}

std::vector<yoke::device_request> devices(const char* backend, std::initializer_list<int> numbers) {
  std::vector<yoke::device_request> all;
  for (const int number : numbers) all.push_back({.of = yoke::find_backend(backend), .index = number});
  return all;
}

}  // namespace

TEST_CASE("GPUs are numbered as the bus has them", "[device-affinity]") {
  const topology four = machine(accelerator_kind::cuda, "aaaa");
  CHECK(devices_in_order(accelerator_kind::cuda, four) == positions{1, 2, 3, 4});
  CHECK(devices_in_order(accelerator_kind::hip, four).empty());
  CHECK(yoke::cpus_near(devices("cuda", {2, 0}), four) == std::vector<std::vector<int>>{{2}, {0}});
  CHECK(yoke::cpus_near(devices("cuda", {4}), four) == std::vector<std::vector<int>>{{}});
  CHECK(yoke::cpus_near(devices("emulated", {0}), four) == std::vector<std::vector<int>>{{}});
}

TEST_CASE("CUDA_VISIBLE_DEVICES chooses and orders, up to the first number that there is not",
          "[device-affinity]") {
  const topology four = machine(accelerator_kind::cuda, "aaaa");
  const auto seen = [&](const char* list) {
    const variable set{"CUDA_VISIBLE_DEVICES", list};
    return devices_in_order(accelerator_kind::cuda, four);
  };
  CHECK(seen("2,0") == positions{3, 1});
  CHECK(seen("3") == positions{4});
  CHECK(seen("1,9,2") == positions{2});
  CHECK(seen("").empty());
  // What they name is not known here.
  CHECK(seen("GPU-5b3c").empty());
  CHECK(seen("1,,2").empty());
  CHECK(seen("1,-1").empty());
  CHECK(seen("12345678").empty());
}

TEST_CASE("of different models CUDA takes the fastest first, unless it is told to go by the bus",
          "[device-affinity]") {
  const topology two = machine(accelerator_kind::cuda, "ab");
  CHECK(devices_in_order(accelerator_kind::cuda, two).empty());
  const variable by_bus{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"};
  CHECK(devices_in_order(accelerator_kind::cuda, two) == positions{1, 2});
}

TEST_CASE("AMD's driver chooses first, then HIP among those", "[device-affinity]") {
  const topology four = machine(accelerator_kind::hip, "abab");
  CHECK(devices_in_order(accelerator_kind::hip, four) == positions{1, 2, 3, 4});
  const variable by_driver{"ROCR_VISIBLE_DEVICES", "3,1,0"};
  CHECK(devices_in_order(accelerator_kind::hip, four) == positions{4, 2, 1});
  const variable by_hip{"HIP_VISIBLE_DEVICES", "1"};
  CHECK(devices_in_order(accelerator_kind::hip, four) == positions{2});
  CHECK(yoke::cpus_near(devices("hip", {0}), four) == std::vector<std::vector<int>>{{1}});
}
