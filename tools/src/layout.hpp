#pragma once
/// Which CPUs the compute units of a configuration get on a machine.

#include "json_fields.hpp"
#include "machine.hpp"

#include <string>
#include <vector>

#include <yoke/places.hpp>
#include <yoke/topology.hpp>

namespace tools {

struct layout {
  yoke::configuration shape;
  std::vector<yoke::place> places;
  std::vector<std::string> devices;  ///< of each GPU CU: "cuda:0 (0000:23:00.0)"
  std::vector<std::string> remarks;
};

/// `cus` empty: the default of the machine. `devices` as YOKE_DEVICES; empty: the GPUs of the machine.
/// Errors: config_error.
layout lay_out(const yoke::topology& machine, bool smt, const yoke::sourced& cus, const std::string& devices);

/// What a program on this machine would find in YOKE_DEVICES and YOKE_SMT, where no option says otherwise;
/// without both the GPUs that drivers give to this process, by name.
/// Errors: config_error for a YOKE_SMT that is neither 0 nor 1.
std::string devices_of(const std::string& option);
bool smt_of(bool option);

json as_json(const layout& of);
/// Groups of cores by NUMA node and last cache, each core with the unit that has it.
std::string picture_of(const layout& of, const yoke::topology& machine);
/// Lines "  CU 3   CPUs 6,7", with devices.
std::string table_of(const layout& of);

}  // namespace tools
