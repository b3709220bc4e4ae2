#pragma once
/// Speeds of each unit and of each kind, from the fits of the units that have one.

#include <optional>
#include <span>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke::scheduling {

/// The fit of each unit; nullopt for one without samples.
using speed_fits = std::span<const std::optional<speed>>;

/// The median, part by part, of the fits of the units of `kind`; nullopt where there is none.
std::optional<speed> median_speed(unit_kind kind, std::span<const unit> units, speed_fits fits);

/// The speed of every unit: its fit, or the median of its kind. nullopt when a kind has none at all.
std::optional<std::vector<speed>> fitted_speeds(std::span<const unit> units, speed_fits fits);

/// The same, but a kind that has no fit is taken for the best that its processors may promise beside the
/// other kind, so that it is left out only where it cannot pay. nullopt when there is no fit at all.
std::optional<std::vector<speed>> known_or_promised_speeds(std::span<const unit> units, speed_fits fits);

}  // namespace yoke::scheduling
