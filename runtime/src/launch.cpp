#include "first_exception.hpp"
#include "trace_tracks.hpp"

#include <yoke/compute_units.hpp>
#include <yoke/error.hpp>
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
  return {items * i / n, items * (i + 1) / n};
}

/// Piece `i` of `n`: whole rows, or a part of every row where there are fewer rows than CPUs.
void run_piece(const kernel_call& call, std::int64_t i, std::int64_t n) {
  const bool by_rows = call.items.y >= n;
  const piece y = by_rows ? piece_of(call.items.y, i, n) : piece{0, call.items.y};
  const piece x = by_rows ? piece{0, call.items.x} : piece_of(call.items.x, i, n);
  call.host_entry(call.arguments,
                  {.first_x = x.first, .last_x = x.last, .first_y = y.first, .last_y = y.last});
}

void run_on_cpus(const kernel_call& call, int n_cpus) {
  first_exception error;
#pragma omp parallel for num_threads(n_cpus) proc_bind(master) schedule(static)
  for (int i = 0; i < n_cpus; ++i) {
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

}  // namespace

void run_on_calling_unit(const kernel_call& call) {
  const compute_units* units = current_units().get();
  if (units == nullptr) throw usage_error{"launch_here: there is no runtime; make a yoke::runtime first"};
  if (!openmp::in_region()) {
    throw usage_error{
        "launch_here: called outside of a parallel region, where there is no unit to launch on; call it in "
        "run "
        "or each_unit"};
  }
  const compute_unit& unit = units->calling();
  if (unit.dev != nullptr) return unit.dev->launch(unit.stream, call);
  trace_tracks* const trace = current_trace().peek();
  if (trace == nullptr) return run_on_unit(call, unit);
  const ticks from = now();
  run_on_unit(call, unit);
  trace->by_caller("kernel", call.name, from, now());
}

}  // namespace yoke::detail
