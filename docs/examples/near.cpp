/// Threads that lead the calls of libraries on GPUs, each on a core of its own near its device: here, or as
/// it would be on a machine that lstopo has written.
///
///   ./near [machine.xml]
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/hosting.hpp>

namespace {

/// Device `number` of a driver is accelerator `at` of the machine. Whether its core is near it.
bool tell(const yoke::hosting& cores, const char* driver, std::size_t number, std::size_t at) {
  const yoke::accelerator_info& device = cores.machine().accelerators()[at];
  const int cpu = cores.cpus_of(yoke::hosted::accelerator(static_cast<int>(at))).front();
  const bool is_near = std::ranges::find(device.near, cpu) != device.near.end();
  std::printf("%s:%zu is %s, led from CPU %d, which is %s\n", driver, number, device.pci.c_str(), cpu,
              is_near ? "near" : "NOT near");
  return is_near;
}

/// Whether each thread is where it was assigned.
bool bind_leaders(const yoke::hosting& cores) {
  std::vector<char> is_there(cores.machine().accelerators().size());
  std::vector<std::jthread> leaders;
  for (std::size_t at = 0; at < is_there.size(); ++at)
    leaders.emplace_back([&cores, &is_there, at] {
      const auto who = yoke::hosted::accelerator(static_cast<int>(at));
      cores.bind_self(who);
      is_there[at] = yoke::affinity_of_this_thread() == cores.cpus_of(who);
    });
  leaders.clear();  // joins
  return std::ranges::count(is_there, 1) == std::ssize(is_there);
}

int run(const char* file) {
  yoke::hosting cores{file != nullptr ? yoke::topology::from_xml(file) : yoke::topology::with_accelerators()};
  cores.assign_accelerators();
  bool is_right = file != nullptr || bind_leaders(cores);
  for (const yoke::accelerator_kind kind : {yoke::accelerator_kind::cuda, yoke::accelerator_kind::hip}) {
    const std::vector<std::size_t> devices = yoke::devices_in_order(kind, cores.machine());
    for (std::size_t i = 0; i < devices.size(); ++i)
      is_right = tell(cores, yoke::name_of(kind), i, devices[i]) && is_right;
  }
  std::printf("%zu accelerators: %s\n", cores.machine().accelerators().size(), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc > 1 ? argv[1] : nullptr);
} catch (const std::exception& problem) {
  std::fprintf(stderr, "near: %s\n", problem.what());
  return 1;
}
