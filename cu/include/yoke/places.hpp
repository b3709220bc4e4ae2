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

struct place_assignment {
  std::vector<place> places;  ///< one per CU
  std::string note;           ///< the one line that says that managing threads share a CPU; else empty
};

/// Hands out the usable CPUs of `machine`: N·M distinct ones to the CPU CUs, then one to each GPU CU. With
/// `smt` no two CUs have hardware threads of the same core. Only with `emulated_devices` may a GPU CU, when
/// CPUs run out, share a CPU, one of a CPU CU's included. Errors: config_error naming `origin`'s value and
/// the largest configuration that fits.
place_assignment assign_places(const configuration& wanted, const sourced& origin, const topology& machine,
                               bool smt, bool emulated_devices);

/// "{0,1},{2,3},{4}".
std::string places_text(const std::vector<place>& places);

/// What a program gets that names no configuration: every CPU is a CPU CU (with `smt` every core, with all
/// its hardware threads). Each vendor GPU keeps a CPU for itself; emulated ones share. (CPUs-G)x1+G, CPUsx1,
/// CPUsx1+G (emulated), +G where no CPU is left.
configuration default_configuration(const topology& machine, bool smt, int vendor_gpus, int emulated_gpus);

/// What the user set in OMP_PLACES, as libomp understood it, against `wanted`: place i < N has exactly M
/// CPUs, the next G at least one, all allowed, those of CPU CUs distinct; extra places are ignored. Errors:
/// config_error that prints the lines to set instead, taken from `suggestion` where it is not empty.
void check_user_places(const configuration& wanted, const sourced& origin, const std::vector<place>& in_force,
                       const topology& machine, const std::vector<place>& suggestion);

/// Whether libomp with this binding, as "close,master" or "spread", keeps inner teams inside their place.
bool keeps_inner_teams(std::string_view binding);

}  // namespace yoke
