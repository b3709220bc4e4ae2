// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which CPUs are near the devices of GPU CUs, without starting a driver.

#include <span>
#include <vector>

#include <yoke/device_list.hpp>
#include <yoke/topology.hpp>

namespace yoke {

/// For each device the CPUs that are nearest to it; an empty list where it is not known which accelerator of
/// `machine` the device is: emulated ones, names in CUDA_VISIBLE_DEVICES that are no numbers, different
/// models without CUDA_DEVICE_ORDER=PCI_BUS_ID.
std::vector<std::vector<int>> cpus_near(std::span<const device_request> devices, const topology& machine);

/// The accelerators that a program's devices cuda:0, cuda:1, … are, or hip:0, …; positions in
/// machine.accelerators(). Empty where that is not known.
std::vector<std::size_t> devices_in_order(accelerator_kind kind, const topology& machine);

}  // namespace yoke
