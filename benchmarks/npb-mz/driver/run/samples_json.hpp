#pragma once
/// What every zone took in every step, for the JSON of a run.

#include "result.hpp"

#include <nlohmann/json.hpp>

namespace npb {

/// By zone and by CU: mean, standard deviation and quantiles (least, 1/4, median, 3/4, most), in seconds; by
/// zone also each step's time and CU.
nlohmann::ordered_json samples_json(const run_result& r);

}  // namespace npb
