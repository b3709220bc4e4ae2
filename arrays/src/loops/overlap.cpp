#include "overlap.hpp"

#include <algorithm>
#include <atomic>

namespace yoke::detail {

namespace {

/// Of a GPU's part; below, the host takes longer to queue all that than the GPU to run it.
std::atomic<std::int64_t> least_elements{std::int64_t{1} << 24};
std::atomic<std::int64_t> n_overlapped{0};

bool is_brought(const used_array& use) { return !use.elements->current.covers(use.wanted); }

/// Those of others are packed.
bool has_long_rows(const layout& shape) {
  return static_cast<std::size_t>(shape[shape.dimensions - 1].extent) * shape.element >= long_row;
}

/// What is current already is brought again with it: other sides, whose pads would read what is on its way.
bool reaches_along_rows_alone(const used_array& use) {
  const layout& shape = use.elements->shape();
  if (shape.dimensions < 2 || !shape.is_cut(0) || use.is_transposed) return false;
  const halo_state brought = merged(use.wanted, use.elements->current);
  for (int d = 1; d < shape.dimensions; ++d)
    if (brought.reaches_out(d)) return false;
  return true;
}

bool are_of_one_backend(std::span<const gpu_unit> gpus) {
  return std::ranges::all_of(
      gpus, [&](const gpu_unit& gpu) { return backend_of(*gpu.dev) == backend_of(*gpus.front().dev); });
}

bool has_whole_rows(const layout& shape) {
  for (int d = 1; d < shape.dimensions; ++d)
    if (shape.is_cut(d)) return false;
  return true;
}

bool can_travel_beside(const loop_parts& parts, const used_array& use) {
  const layout& shape = use.elements->shape();
  const auto is_range = [&](const gpu_unit& gpu) { return shape.part_of(gpu.unit)[0].is_range(); };
  return reaches_along_rows_alone(use) && has_long_rows(shape) && !use.elements->host().has_elements() &&
         std::ranges::all_of(parts.context.gpus, is_range);
}

}  // namespace

std::int64_t set_least_overlapped(std::int64_t elements) { return least_elements.exchange(elements); }
std::int64_t overlapped_loops() { return n_overlapped; }

bool overlaps(const loop_parts& parts, bool has_results) {
  const std::span<const gpu_unit> gpus = parts.context.gpus;
  if (gpus.size() < 2 || parts.context.checks || parts.shape() == nullptr) return false;
  std::int64_t elements = 1;
  for (int d = 0; d < parts.over.dimensions; ++d) elements *= parts.over[d].size();
  if (elements / std::ssize(gpus) < least_elements) return false;
  if (has_results && !has_whole_rows(*parts.shape())) return false;
  bool any = false;
  for (const used_array& use : parts.uses) {
    if (use.is_everywhere) return false;
    if (!is_brought(use)) continue;
    any = true;
    if (!can_travel_beside(parts, use)) return false;
  }
  return any && are_of_one_backend(gpus);
}

bound rows_within(const loop_parts& parts, int unit, const bound& rows) {
  bound within = rows;
  for (const used_array& use : parts.uses) {
    if (!use.has_halo || use.is_transposed || !use.elements->shape().is_cut(0)) continue;
    const bound own = use.elements->shape().part_of(unit)[0].hull();
    within = common(within, {own.begin + use.wanted.low[0], own.end - use.wanted.high[0]});
  }
  return within.size() > 0 ? within : bound{rows.begin, rows.begin};
}

// GPUs begin before the host says what travels.
void loop_parts::run_gpus_beside(const part_body& body, bool has_results) {
  ++n_overlapped;
  const auto for_each_box = [&](const auto& run) {
    for (const gpu_unit& gpu : context.gpus)
      share_of(gpu.unit).for_each([&](const any_box& box) { run(gpu, box); });
  };
  const auto run = [&](const gpu_unit& gpu, const any_box& box, const bound& rows, const gpu_unit* on) {
    if (rows.size() == 0) return;
    any_box piece = box;
    piece[0] = rows;
    body(loop_part{*this, gpu.unit, piece, box, false, on});
  };
  copies.go_beside(beside);
  for_each_box([&](const gpu_unit& gpu, const any_box& box) {
    run(gpu, box, rows_within(*this, gpu.unit, box[0]), nullptr);
  });
  bring_halos();
  for_each_box([&](const gpu_unit& gpu, const any_box& box) {
    const bound within = rows_within(*this, gpu.unit, box[0]);
    run(gpu, box, {box[0].begin, within.begin}, &copies.receiver(gpu));
    run(gpu, box, {within.end, box[0].end}, &copies.receiver(gpu));
  });
  copies.join();
  if (!has_results) return;
  for_each_box([&](const gpu_unit& gpu, const any_box& box) {
    any_box none = box;
    none[0].begin = box[0].end;
    body(loop_part{*this, gpu.unit, none, box, true});
  });
}

}  // namespace yoke::detail
