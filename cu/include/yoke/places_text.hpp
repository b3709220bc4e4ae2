// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// OMP_PLACES as text: read as libomp reads it, and written short.

#include <string>
#include <vector>

#include <yoke/places.hpp>
#include <yoke/settings.hpp>

namespace yoke {

/// What libomp 19 makes of a value of OMP_PLACES.
enum class places_meaning {
  exact,     ///< the places that it names
  fallback,  ///< it is no value: libomp warns, and has a place for each core, or one of all CPUs
  unknown,   ///< a name whose places depend on how libomp was built, or on what the CPU tells it
  fatal      ///< libomp aborts on it, or asks for memory without end
};

/// What a text comes to on a machine. A text that libomp would not take is no error here: `meaning` tells.
struct places_reading {
  places_meaning meaning = places_meaning::exact;
  std::vector<place> places{};  ///< CPUs ascending; none where the meaning is unknown or fatal
  std::string remark{};         ///< unless exact: why, with the position of the mistake
  std::vector<int> dropped{};   ///< CPUs that are named and do not exist or are outside of the mask
};

/// The places of a process whose CPUs are those of `machine`.
places_reading read_places(const sourced& text, const topology& machine);

/// What the user set in OMP_PLACES against `wanted`: place i < N has exactly M CPUs, the next G at least one,
/// all allowed, those of CPU CUs distinct; extra places are ignored. Errors: config_error that says what was
/// dropped and prints the lines to set instead, taken from `suggestion` where it is not empty.
void check_user_places(const configuration& wanted, const sourced& origin, const places_reading& users,
                       const topology& machine, const std::vector<place>& suggestion);

/// As short as "{0:2}:7:2,{14}:2", in the compact form of González & Morancho, Table 3. read_places reads the
/// same places from it where all their CPUs may be used.
std::string short_places_text(const std::vector<place>& places);

/// "0-3,8,9", as taskset and cgroups write it.
std::string cpu_list_text(std::vector<int> cpus);

}  // namespace yoke
