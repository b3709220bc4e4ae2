#include "array_state.hpp"
#include "box_rows.hpp"
#include "exchange.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <vector>

#include <yoke/array_handle.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Rows of an array that one unit has packed.
struct packed_rows {
  const store* in;
  bound rows;
};

std::vector<packed_rows> all_packed(contents& packed) {
  std::vector<packed_rows> all;
  for (int unit = 0; unit < packed.context().n_units(); ++unit)
    if (const bound rows = packed.shape().rows_of(unit); rows.size() > 0)
      all.push_back({&packed.of_unit(unit), rows});
  return all;
}

/// What a memory takes its rows from: each unit's, or those in the same memory where each has all.
std::vector<packed_rows> sources_of(contents& packed, const store& to) {
  if (packed.shape().distributed) return all_packed(packed);
  const store& same = to.gpu == nullptr ? packed.host() : packed.of_unit(to.gpu->unit);
  return {{&same, {0, packed.shape()[0].extent}}};
}

/// Columns `columns` of the packed rows, as rows of `to`.
box_copy box_of(const contents& packed, const packed_rows& from, const contents& of, const store& to,
                bound columns) {
  const auto element = static_cast<std::int64_t>(packed.shape().element);
  const std::int64_t column = from.rows.size() * element;
  return {.to = of.row(to, columns.begin) + bytes_before_inner(of.shape()) + from.rows.begin * element,
          .from = packed.row(*from.in, from.rows.begin) + columns.begin * column,
          .bytes = static_cast<std::size_t>(column),
          .rows = static_cast<std::size_t>(columns.size()),
          .to_pitch = {.row = of.shape().row_bytes()},
          .from_pitch = {.row = static_cast<std::size_t>(column)}};
}

/// Between memories.
void queue_columns(contents& packed, const contents& of, const store& to, ordered_copies& copies) {
  if (!to.has_rows() || to.first == nullptr) return;
  for (const packed_rows& from : sources_of(packed, to))
    if (from.in->gpu != nullptr || to.gpu != nullptr)
      copies.add(from.in->gpu, to.gpu, box_of(packed, from, of, to, to.own));
}

/// In the host's memory: each CPU CU the rows that are its own, or its share of them.
void copy_columns(contents& packed, const contents& of, int unit) {
  const store& to = of.host();
  const std::vector<std::int64_t> even = even_cuts(of.shape()[0].extent, packed.context().n_cpu_units);
  const auto u = static_cast<std::size_t>(unit);
  const bound columns = of.shape().distributed ? of.shape().rows_of(unit) : bound{even[u], even[u + 1]};
  if (columns.size() == 0 || to.first == nullptr) return;
  for (const packed_rows& from : sources_of(packed, to))
    if (from.in->gpu == nullptr) queue_copy(nullptr, nullptr, box_of(packed, from, of, to, columns));
}

void unpack(contents& packed, contents& to) {
  array_context& context = packed.context();
  ordered_copies copies{context};
  queue_columns(packed, to, to.host(), copies);
  for (const store& part : to.gpus()) queue_columns(packed, to, part, copies);
  copies.close();
  if (context.n_cpu_units > 0)
    context.rt().each_unit([&](unit_id unit) {
      if (unit < context.n_cpu_units) copy_columns(packed, to, unit);
    });
  copies.wait_on_host();
  wait_for(context.gpus);
}

}  // namespace

void check_transposed(const array_handle& from, const array_handle& to) {
  refuse_in_region("transpose");
  const layout& a = from.state().usable("transpose").shape();
  const layout& b = to.state().usable("transpose").shape();
  if (&from.state().context() != &to.state().context())
    throw usage_error{"transpose: the arrays are of two runtimes"};
  if (&from.state() == &to.state())
    throw usage_error{"transpose: an array into itself; a second one takes the elements"};
  if (a[0].extent == b[1].extent && a[1].extent == b[0].extent) return;
  throw usage_error{fmt::format("transpose: an array of {} x {} into one of {} x {}, which is not {} x {}",
                                a[0].extent, a[1].extent, b[0].extent, b[1].extent, a[1].extent,
                                a[0].extent)};
}

void unpack_transposed(const array_handle& packed, const array_handle& to) {
  const std::lock_guard guard{to.state().context().lock};
  contents& target = to.state().usable("transpose");
  target.current = {};
  try {
    unpack(packed.state().usable("transpose"), target);
  } catch (...) {
    drain(target.context().gpus);
    throw;
  }
  for (store& part : target.gpus()) part.loaded = true;
}

}  // namespace yoke::detail
