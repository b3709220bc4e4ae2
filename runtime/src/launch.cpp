#include "current_runtime.hpp"
#include "first_exception.hpp"
#include "trace_tracks.hpp"

#include <fmt/format.h>

#include <yoke/compute_units.hpp>
#include <yoke/detail/checked_call.hpp>
#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/launch_shape.hpp>
#include <yoke/error.hpp>
#include <yoke/fp_environment.hpp>
#include <yoke/launch.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

/// Items [first, last) of piece `i` of `n`.
struct piece {
  std::int64_t first;
  std::int64_t last;
};

piece piece_of(std::int64_t items, std::int64_t i, std::int64_t n) {
  const std::int64_t each = items / n, left = items % n;  // of large numbers the product would be none
  const auto cut = [&](std::int64_t at) { return each * at + left * at / n; };
  return {cut(i), cut(i + 1)};
}

/// Rows [first, last) of one plane.
void run_rows(const kernel_call& call, std::int64_t z, piece rows) {
  if (rows.first >= rows.last) return;
  call.host_entry(
      call.arguments,
      {.last_x = call.items.x, .first_y = rows.first, .last_y = rows.last, .first_z = z, .last_z = z + 1});
}

/// Rows [first, last) of all, counted from plane to plane: the end of a plane, whole planes, the start of
/// one.
void run_rows_of_planes(const kernel_call& call, piece rows) {
  const std::int64_t ny = call.items.y;
  const piece planes{rows.first / ny, rows.last / ny};
  const piece in_plane{rows.first % ny, rows.last % ny};
  if (planes.first == planes.last) return run_rows(call, planes.first, in_plane);
  const std::int64_t first_whole = planes.first + (in_plane.first > 0 ? 1 : 0);
  if (in_plane.first > 0) run_rows(call, planes.first, {in_plane.first, ny});
  if (first_whole < planes.last)
    call.host_entry(call.arguments,
                    {.last_x = call.items.x, .last_y = ny, .first_z = first_whole, .last_z = planes.last});
  run_rows(call, planes.last, {0, in_plane.last});
}

/// Piece `i` of `n`: whole rows, or a part of every row where there are fewer rows than CPUs.
void run_piece(const kernel_call& call, std::int64_t i, std::int64_t n) {
  const std::int64_t rows = call.items.y * call.items.z;
  if (rows < n) {
    const piece x = piece_of(call.items.x, i, n);
    item_range part = all_of(call);
    part.first_x = x.first;
    part.last_x = x.last;
    call.host_entry(call.arguments, part);
  } else if (call.items.z == 1) {
    run_rows(call, 0, piece_of(rows, i, n));
  } else {
    run_rows_of_planes(call, piece_of(rows, i, n));
  }
}

void run_on_cpus(const kernel_call& call, int n_cpus) {
  first_exception error;
  const fp_environment of_caller = fp_environment::of_this_thread();
#pragma omp parallel for num_threads(n_cpus) proc_bind(master) schedule(static)
  for (int i = 0; i < n_cpus; ++i) {
    of_caller.take();
    try {
      run_piece(call, i, n_cpus);
    } catch (...) {
      error.keep(std::current_exception());
    }
  }
  error.rethrow();
}

void run_on_unit(const kernel_call& call, const compute_unit& unit) {
  if (unit.cpus.size() == 1) return run_piece(call, 0, 1);
  run_on_cpus(call, static_cast<int>(unit.cpus.size()));
}

const compute_unit& unit_for(const kernel_call& call) {
  if (!has_countable_items(call))
    throw usage_error{fmt::format("launch_here: {}: a launch has {} items at most; split it into several",
                                  in_words(call), most_indices)};
  const compute_units* units = current_units().get();
  if (units == nullptr) throw usage_error{"launch_here: there is no runtime; make a yoke::runtime first"};
  if (!openmp::in_region()) {
    throw usage_error{
        "launch_here: called outside of a parallel region, where there is no unit to launch on; call it in "
        "run "
        "or each_unit"};
  }
  return units->calling();
}

void run_traced(const kernel_call& call, const compute_unit& unit) {
  if (unit.dev != nullptr) return unit.dev->launch(unit.stream, call);
  trace_tracks* const trace = current_trace().peek();
  if (trace == nullptr) return run_on_unit(call, unit);
  const ticks from = now();
  run_on_unit(call, unit);
  trace->by_caller("kernel", call.name, from, now());
}

}  // namespace

void launch_on_cpus(const kernel_call& call, int n_cpus) { run_on_cpus(call, n_cpus); }

void run_on_calling_unit(const kernel_call& call) { run_traced(call, unit_for(call)); }

void launch_on_calling_unit(const kernel_call& call) {
  const compute_unit& unit = unit_for(call);
  const bool* const checks = current_checks().peek();
  if (unit.dev != nullptr || checks == nullptr || !*checks) return run_traced(call, unit);
  const checked_call checked{call, "kernel"};
  run_traced(checked.call(), unit);
}

}  // namespace yoke::detail
