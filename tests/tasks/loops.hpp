#pragma once
/// Loops over arrays and steps over zones, called by agents.

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/tasks.hpp>
#include <yoke/zoned.hpp>
#include <yoke/zones.hpp>

namespace task_loops {

using number = std::uint64_t;
using numbers = std::vector<number>;
using row = yoke::array<number, 1>;
using field = yoke::zoned<number, 1>;
inline constexpr std::int64_t n = 40;
/// Of a ring of zones with as many points.
inline constexpr int n_zones = 4;
inline constexpr std::int64_t n_points = 10;

struct bad_luck : std::runtime_error {
  bad_luck() : std::runtime_error{"bad luck"} {}
};

inline row row_of(yoke::runtime& rt) { return row{rt, {n}, {yoke::dist::block.halo(1)}}; }
yoke::zones ring_of(yoke::runtime& rt);

/// to = 3 to + its neighbours in from; without the ends.
void smooth(yoke::runtime& rt, const row& from, row& to);
void fill(yoke::runtime& rt, row& to, number value);
/// to = 3 to + its neighbours in from + value.
void smooth(yoke::zones& of, const field& from, field& to, number value);
void fill(yoke::zones& of, field& to, number value);
yoke::task fill(yoke::task_group& g, yoke::placed<number>& to, number value);
/// to = 3 to + from.
yoke::task add(yoke::task_group& g, const yoke::placed<number>& from, yoke::placed<number>& to);

/// All points, zone after zone.
numbers points_of(const field& of);

}  // namespace task_loops
