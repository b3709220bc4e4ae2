#pragma once
/// What contradicts what.

#include "surroundings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <yoke/configuration.hpp>

namespace tools {

struct finding {
  bool is_wrong = false;  ///< else it may cost time
  std::string what{};
  std::string mend{};  ///< one line
};

/// What is audited.
struct audit_subject {
  const surroundings& around;
  std::optional<yoke::configuration> shape{};  ///< of YOKE_CUS or --cus, where it is one
  yoke::sourced cus{};
  bool smt = false;

  int threads() const {
    return shape ? shape->cpu_units * shape->cpus_per_unit + shape->gpu_units : around.machine.n_cores();
  }
};
using findings = std::vector<finding>;

/// All rules. `cus` empty: YOKE_CUS, if that is set.
findings audit(const surroundings& around, const std::string& cus);

// The rules by what they look at.
void audit_openmp(const audit_subject& of, findings& found);
void audit_cpus(const audit_subject& of, findings& found);
void audit_ranks(const audit_subject& of, findings& found);
void audit_devices(const audit_subject& of, findings& found);

}  // namespace tools
