#pragma once
/// OpenMP places: one per compute unit, CPU CUs first.

#include <string>
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

/// Hands out the usable CPUs of `machine`: N·M distinct ones to the CPU CUs, then one to each GPU CU. Only
/// with `emulated_devices` may a GPU CU, when CPUs run out, share a CPU, one of a CPU CU's included. Errors:
/// config_error naming `origin`'s value and the largest configuration that fits.
place_assignment assign_places(const configuration& wanted, const sourced& origin, const topology& machine,
                               bool smt, bool emulated_devices);

/// "{0,1},{2,3},{4}".
std::string places_text(const std::vector<place>& places);

/// What the user set in OMP_PLACES and OMP_PROC_BIND, as libomp understood it, against `wanted`: place i < N
/// has exactly M CPUs, the next G at least one, all allowed; binding close,master|primary. Errors:
/// config_error that prints the lines to set instead.
void check_user_places(const configuration& wanted, const sourced& origin, const std::vector<place>& in_force,
                       const topology& machine);

}  // namespace yoke
