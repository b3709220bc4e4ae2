#include "bring_zones.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Bytes that the batch needs beyond what it has on the device.
struct needs {
  std::size_t fields = 0, work = 0;
  std::size_t all() const { return fields + work; }
};

needs missing(std::span<const yoke::task_id> batch, const stepping& s, const yoke::compute_unit& unit,
              const batch_plans& plans) {
  needs bytes{.work = plans.work_missing(batch)};
  for (const int zone : batch) bytes.fields += s.zones.bytes_missing(zone, unit.space);
  return bytes;
}

/// Bytes that there are for it. What regions have there that none uses is for fields alone.
std::size_t free_for(const needs& wanted, const stepping& s, const yoke::compute_unit& unit) {
  const std::size_t on_device = unit.dev->memory_free();
  return wanted.work > on_device ? on_device : s.zones.memory_free(unit.space);
}

bool fits(const needs& wanted, const stepping& s, const yoke::compute_unit& unit) {
  return wanted.all() <= free_for(wanted, s, unit);
}

void check_memory(std::span<const yoke::task_id> batch, const stepping& s, const yoke::compute_unit& unit,
                  batch_plans& plans) {
  if (fits(missing(batch, s, unit, plans), s, unit)) return;
  s.zones.free_left_behind(unit.space);
  if (fits(missing(batch, s, unit, plans), s, unit)) return;
  plans.give_back();
  const needs bytes = missing(batch, s, unit, plans);
  const std::size_t wanted = bytes.all(), free = free_for(bytes, s, unit);
  if (wanted <= free) return;
  throw yoke::out_of_memory{
      fmt::format(
          "{}: the schedule gives {} zones at once to CU {}; they need {} bytes there and {} of {} are "
          "free; give the device fewer zones, as with --schedule pool,pcf=…, or use one with more "
          "memory ({})",
          unit.dev->info().name, batch.size(), static_cast<int>(unit.id), wanted, free,
          unit.dev->info().memory, s.loop != nullptr ? s.loop->plan().describe() : ""),
      wanted, free};
}

}  // namespace

void bring_zones(std::span<const yoke::task_id> batch, const stepping& s, const yoke::compute_unit& unit,
                 batch_plans& plans, step_run& step) {
  const auto is_here = [&](int zone) { return s.zones.space_of(zone) == unit.space; };
  if (std::ranges::all_of(batch, is_here)) return;
  check_memory(batch, s, unit, plans);
  for (const int zone : batch) {
    if (is_here(zone)) continue;
    yoke::ticks moving = 0;
    const stopwatch watch = step.migrating(moving);
    step.account().migrations += s.zones.bring(zone, unit.space);
  }
}

}  // namespace npb
