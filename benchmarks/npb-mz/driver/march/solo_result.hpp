#pragma once
/// What --solo has measured.

#include <string>
#include <vector>

namespace npb {

/// Time steps per second of parts of the machine, from --solo. 0: that part does not exist or could not run.
struct solo_result {
  double cpu_rate = 0;
  std::vector<double> gpu_rates;  ///< by device
  std::vector<std::string> notes;

  double gpu_rate() const;
};

}  // namespace npb
