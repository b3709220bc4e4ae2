// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums and maxima over all points of all zones.
///
///   struct squared {
///     YOKE_HD double operator()(const yoke::loop_index<3>& at, yoke::view<const double, 3> u) const {
///       return u(at) * u(at);
///     }
///   };
///   const double norm = std::sqrt(yoke::zone_sum<squared>(blocks, "norm", in(u, yoke::interior)));

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <yoke/block.hpp>
#include <yoke/zone_step.hpp>

namespace yoke {

namespace detail {

struct adding {
  YOKE_HD static double none() { return 0; }
  YOKE_HD static double combine(double a, double b) { return a + b; }
};
/// A value that is not a number stays.
struct taking_larger {
  YOKE_HD static double none() { return -std::numeric_limits<double>::infinity(); }
  YOKE_HD static double combine(double a, double b) { return a > b || a != a ? a : b; }
};

/// A block has a chunk: threads first, then halves of them, so in the same order everywhere.
template <class Body, int D, class Operation>
struct zone_partials {
  static constexpr int block = chunk_threads;

  template <class Pack>
  YOKE_HD void operator()(const yoke::block& b, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks, device_ptr<double> results) const {
    double* const shared = b.shared<double>();
    const zone_chunk chunk = chunks[b.x];
    const zone_entry<D, Pack> of = entries[chunk.entry];
    const auto given = all_given_in(of.extents, of.arguments);
    b.for_each_thread([&](int thread) {
      double mine = Operation::none();
      for (std::int64_t point = chunk.first + thread; point < chunk.first + chunk_points;
           point += chunk_threads)
        if (point < of.points)
          mine = Operation::combine(mine, call_zone_body<Body>(index_of(of, point_of<D>(of, point)), given));
      shared[thread] = mine;
    });
    for (int width = chunk_threads / 2; width > 0; width /= 2)
      b.for_each_thread([&](int thread) {
        if (thread < width) shared[thread] = Operation::combine(shared[thread], shared[thread + width]);
      });
    b.for_each_thread([&](int thread) {
      if (thread == 0) results[b.x] = shared[0];
    });
  }
};

/// The same on a CPU CU: values along rows first, which a loop computes without asking where each point is.
template <class Body, int D, class Operation>
struct zone_partials_of_rows {
  static constexpr int block = chunk_threads;

  template <class Pack>
  YOKE_HD void operator()(const yoke::block& b, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks, device_ptr<double> results) const {
    double* const values = b.shared<double>();
    const zone_chunk chunk = chunks[b.x];
    const zone_entry<D, Pack> of = entries[chunk.entry];
    const std::int64_t left = of.points - chunk.first, n = left < chunk_points ? left : chunk_points;
    fill(values, n, of, chunk.first);
    const std::int64_t threads = n < chunk_threads ? n : chunk_threads;
    for (std::int64_t thread = 0; thread < chunk_threads; ++thread) {
      double mine = Operation::none();
      if (thread < threads) mine = Operation::combine(mine, values[thread]);
      for (std::int64_t point = thread + chunk_threads; point < n; point += chunk_threads)
        mine = Operation::combine(mine, values[point]);
      values[thread] = mine;
    }
    for (int width = chunk_threads / 2; width > 0; width /= 2)
      for (int thread = 0; thread < width; ++thread)
        values[thread] = Operation::combine(values[thread], values[thread + width]);
    results[b.x] = values[0];
  }

 private:
  template <class Pack>
  YOKE_HD static void fill(double* to, std::int64_t n, const zone_entry<D, Pack>& of, std::int64_t first) {
    const auto given = all_given_in(of.extents, of.arguments);
    zone_point<D> row = point_of<D>(of, first);
    for (std::int64_t done = 0; done < n; go_to_next_row(row, of), row.of[D - 1] = 0) {
      const std::int64_t begin = row.of[D - 1], rest = of.extents[D - 1] - begin;
      const std::int64_t length = rest < n - done ? rest : n - done;
      const zone_index<D> at = index_of(of, row);
      for (std::int64_t i = 0; i < length; ++i) {
        zone_index<D> here = at;
        set_last_index(here, begin + i);
        to[done + i] = call_zone_body<Body>(here, given);
      }
      done += length;
    }
  }
};

/// What each chunk came to, by zone and in the order of memory. Waits. Errors: usage_error for a role that
/// reads a halo or writes; those of what wrote the fields; out_of_memory.
std::vector<double> partials_of(zones_core& of, const zone_operation& what);

}  // namespace detail

inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

template <class Body, int D, class Operation, class... Kept>
class zone_partials_call : public zone_kernel_call<Body, D, Kept...> {
 public:
  using base = zone_kernel_call<Body, D, Kept...>;
  using base::base;

  bool has_results() const override { return true; }
  void launch(const detail::zone_launch& where, std::span<const detail::zone_memory>) const override {
    using entry = typename base::entry;
    const device_ptr<const entry> entries{static_cast<const entry*>(where.entries)};
    const device_ptr<const detail::zone_chunk> chunks{where.chunks};
    const device_ptr<double> results{where.results};
    if (where.dev == nullptr)
      launch_blocks_here<detail::zone_partials_of_rows<Body, D, Operation>>(
          {.x = where.n_chunks}, detail::chunk_points * sizeof(double), this->name(), entries, chunks,
          results);
    else
      launch_blocks<detail::zone_partials<Body, D, Operation>>(
          *where.dev, where.stream, {.x = where.n_chunks}, detail::chunk_threads * sizeof(double),
          this->name(), entries, chunks, results);
  }
};

/// Of `Body{}(at, arguments…)` for each point `at` of each zone, as zone_step::launch, of what fields have at
/// that point. Combined in an order that no unit and no map changes. Waits. Errors: usage_error for a role
/// that reads a halo or writes, and as zone_recording::replay; those of what wrote the fields.
template <class Operation, class Body, class... Args>
double zone_reduce(zones& of, std::string name, const Args&... args) {
  constexpr int D = detail::dimensions_of_launch<Args...>();
  static_assert(D > 0, "a sum over zones takes a field: in(u, yoke::interior)");
  static_assert(
      detail::takes_zone_arguments<double, Body, zone_index<D>, Args...>,
      "the body of a sum or maximum over zones takes the point (loop_index<D> or zone_index<D>), then "
      "a view<const T, D> for each in(u, yoke::interior) and values as they are, in the order of the "
      "arguments; it returns a double, and takes no partial<T>&");
  const auto call_of = [&](const auto&... kept) {
    return std::make_shared<zone_partials_call<Body, D, Operation, std::remove_cvref_t<decltype(kept)>...>>(
        name, kept...);
  };
  const auto call = call_of(detail::kept_in_launch(args)...);
  double all = Operation::none();
  for (const double each : detail::partials_of(detail::core_of(of), {name, detail::uses_of(args...), call}))
    all = Operation::combine(all, each);
  return all;
}

}  // namespace YOKE_LAUNCHERS

/// The sum; 0 has been added to it.
template <class Body, class... Args>
double zone_sum(zones& of, std::string name, const Args&... args) {
  return zone_reduce<detail::adding, Body>(of, std::move(name), args...);
}
/// The largest value; one that is not a number, where there is any.
template <class Body, class... Args>
double zone_max(zones& of, std::string name, const Args&... args) {
  return zone_reduce<detail::taking_larger, Body>(of, std::move(name), args...);
}

}  // namespace yoke
