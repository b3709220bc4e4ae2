// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// OpenMP places: one per compute unit, CPU CUs first.

#include <string>
#include <string_view>
#include <vector>

#include <yoke/configuration.hpp>
#include <yoke/topology.hpp>

namespace yoke {

/// OS numbers of the CPUs of one compute unit.
using place = std::vector<int>;

/// For each GPU CU the CPUs near its device, as cpus_near gives them; where a list is empty or missing, all
/// are.
using device_cpus = std::vector<std::vector<int>>;

/// What CUs run on, CPU CUs first, then those that manage devices: places_text(places) is OMP_PLACES.
struct place_assignment {
  std::vector<place> places;  ///< one per CU
  std::string note{};         ///< the one line that says that managing threads share a CPU; else empty
};

/// Hands out the usable CPUs of `machine` in whole cores: N·M distinct ones to the CPU CUs, each within one
/// last cache where one has so many, else within one NUMA node, never of cores of several kinds; one to each
/// GPU CU on a core of its own near its device. With `smt` a core's threads go to one CU. Only with
/// `emulated_devices` may a GPU CU, when CPUs run out, share a CPU, one of a CPU CU's included. Errors:
/// config_error naming `origin`'s value and the largest configuration that fits.
place_assignment assign_places(const configuration& wanted, const sourced& origin, const topology& machine,
                               bool smt, bool emulated_devices, const device_cpus& near = {});

/// What one should know of an assignment: compute units that span NUMA nodes, managing threads
/// far from their device, CPUs that no compute unit has. A line each.
std::vector<std::string> remarks_on(const configuration& wanted, const std::vector<place>& places,
                                    const topology& machine, bool smt, const device_cpus& near = {});

/// "{0,1},{2,3},{4}".
std::string places_text(const std::vector<place>& places);

/// What a program gets that names no configuration: every CPU is a CPU CU (with `smt` every core, with all
/// its hardware threads). Each vendor GPU keeps a CPU for itself; emulated ones share. (CPUs-G)x1+G, CPUsx1,
/// CPUsx1+G (emulated), +G where no CPU is left.
configuration default_configuration(const topology& machine, bool smt, int vendor_gpus, int emulated_gpus);

/// Whether libomp with this binding, as "close,master" or "spread", keeps inner teams inside their place.
bool keeps_inner_teams(std::string_view binding);

}  // namespace yoke
