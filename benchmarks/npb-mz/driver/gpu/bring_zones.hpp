#pragma once
/// Bringing zones to a GPU CU.

#include "batch_plans.hpp"
#include "driver/step/step_run.hpp"

#include <span>

#include <yoke/compute_units.hpp>

namespace npb {

/// Brings those of `batch` that are elsewhere. `plans`: the unit's, for the work memory that the batch needs
/// beside its fields; where memory is short they are given back first. Errors: out_of_memory, with the
/// numbers, before any zone has moved.
void bring_zones(std::span<const yoke::task_id> batch, const stepping& s, const yoke::compute_unit& unit,
                 batch_plans& plans, step_run& step);

}  // namespace npb
