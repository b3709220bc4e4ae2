#pragma once
/// From samples of each unit to a speed of each unit and of each kind.

#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// The median, part by part, of the fits of the units of `kind`; nullopt where none of them has samples.
std::optional<speed> median_speed(unit_kind kind, std::span<const unit> units,
                                  std::span<const speed_fit> samples);

/// The fit of every unit; that of its kind for a unit without samples. nullopt when a kind has none at all.
std::optional<std::vector<speed>> fitted_speeds(std::span<const unit> units,
                                                std::span<const speed_fit> samples);

}  // namespace yoke::scheduling
