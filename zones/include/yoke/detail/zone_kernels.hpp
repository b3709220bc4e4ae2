// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How the body of a launch over zones becomes kernels: one for all points of a batch on a device, and rows
/// on a CPU CU.

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <yoke/detail/zone_fields.hpp>
#include <yoke/kernel.hpp>
#include <yoke/launch.hpp>
#include <yoke/zone_shapes.hpp>

namespace yoke::detail {

/// A point of a zone in 32 bits.
template <int D>
struct zone_point {
  std::int32_t of[D];
};
template <int D, class Pack>
YOKE_INLINE YOKE_HD zone_index<D> index_of(const zone_entry<D, Pack>& of, const zone_point<D>& at) {
  zone_index<D> where{};
  where.zone = of.zone;
  for (int d = 0; d < D; ++d) where.extents[d] = of.extents[d];
  where.i = at.of[0];
  if constexpr (D > 1) where.j = at.of[1];
  if constexpr (D > 2) where.k = at.of[2];
  return where;
}
template <class Body, class At, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD auto call_zone_body(const At& at, const pack<>&, const Done&... done) {
  return Body{}(at, done...);
}
template <class Body, class At, class First, class... Rest, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD auto call_zone_body(const At& at, const pack<First, Rest...>& args,
                                                  const Done&... done) {
  return call_zone_body<Body>(at, args.rest, done..., args.first);
}

/// The point with the number `at` in the order of memory.
template <int D, class Pack>
YOKE_INLINE YOKE_HD zone_point<D> point_of(const zone_entry<D, Pack>& of, std::int64_t at) {
  zone_point<D> where{};
  auto rest = static_cast<std::uint32_t>(at);  // a zone has less than 2^31 points
  for (int d = D - 1; d > 0; --d) {
    const auto n = static_cast<std::uint32_t>(of.extents[d]);
    where.of[d] = static_cast<std::int32_t>(rest % n);
    rest /= n;
  }
  where.of[0] = static_cast<std::int32_t>(rest);
  return where;
}
template <int D, class Pack>
YOKE_INLINE YOKE_HD void go_to_next_row(zone_point<D>& at, const zone_entry<D, Pack>& of) {
  if constexpr (D > 1) ++at.of[D - 2];
  for (int d = D - 2; d > 0; --d)
    if (at.of[d] == of.extents[d]) {
      at.of[d] = 0;
      ++at.of[d - 1];
    }
}

/// Points that differ in their first index alone, from `at` on, `step` apart.
template <int D>
struct zone_column {
  zone_point<D> at;
  std::int32_t step, points;
};
/// What a thread of a device has: neighbouring threads have neighbouring points, and the next one is a sum
/// away.
template <int D, class Pack>
YOKE_INLINE YOKE_HD zone_column<D> column_of(const zone_entry<D, Pack>& of, std::int64_t thread,
                                             std::int32_t points) {
  if constexpr (D == 1) {
    const std::int32_t n = of.extents[0], threads = (n + points - 1) / points;
    const auto first = static_cast<std::int32_t>(thread);
    return {{{first}}, threads, first < threads ? (n - first + threads - 1) / threads : 0};
  } else {
    zone_point<D> where = point_of<D>(of, thread);  // counts whole columns where others count points
    where.of[0] *= points;
    const std::int32_t left = of.extents[0] - where.of[0];
    return {where, 1, left < points ? left : points};
  }
}

/// On a device: an item is a column. What it reads of the zone it reads once.
template <class Body, int D>
struct zone_points {
  static constexpr int block = chunk_threads;

  template <class Pack>
  YOKE_HD void operator()(yoke::item at, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x / chunk_threads];
    const zone_entry<D, Pack> of = entries[chunk.entry];
    const auto given = all_given_in(of.extents, of.arguments);
    zone_column<D> column = column_of<D>(of, chunk.first + at.x % chunk_threads, chunk.rows);
    YOKE_UNROLL(4)
    for (std::int32_t left = column.points; left > 0; --left, column.at.of[0] += column.step)
      call_zone_body<Body>(index_of(of, column.at), given);
  }
};

template <int D>
YOKE_INLINE YOKE_HD void set_last_index(zone_index<D>& at, std::int64_t value) {
  if constexpr (D == 1)
    at.i = value;
  else if constexpr (D == 2)
    at.j = value;
  else
    at.k = value;
}

/// On a CPU CU: an item is a chunk of rows.
template <class Body, int D>
struct zone_rows {
  template <class Pack>
  YOKE_HD void operator()(yoke::item at, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x];
    const zone_entry<D, Pack> of = entries[chunk.entry];  // a copy, which no store of the body changes
    const auto given = all_given_in(of.extents, of.arguments);
    const std::int64_t length = of.extents[D - 1];
    zone_point<D> row = point_of<D>(of, chunk.first * length);
    for (std::int32_t left = chunk.rows; left > 0; --left, go_to_next_row(row, of)) {
      const zone_index<D> begin = index_of(of, row);
      for (std::int64_t last = 0; last < length; ++last) {
        zone_index<D> here = begin;
        set_last_index(here, last);
        call_zone_body<Body>(here, given);
      }
    }
  }
};

}  // namespace yoke::detail

namespace yoke {
inline namespace YOKE_LAUNCHERS {  // see kernel.hpp

/// A launch of `Body` at every point of the zones of a batch.
template <class Body, int D, class... Kept>
class zone_kernel_call : public detail::zone_call {
 public:
  zone_kernel_call(std::string name, const Kept&... kept) : name_{std::move(name)}, kept_{kept...} {}

  int dimensions() const override { return D; }
  std::size_t entry_bytes() const override { return sizeof(entry); }
  void write_entry(const detail::zone_memory& of, void* to) const override {
    entry made{};
    for (int d = 0; d < D; ++d)
      made.extents[d] = static_cast<std::int32_t>(of.box.n[static_cast<std::size_t>(3 - D + d)]);
    made.points = static_cast<std::int32_t>(of.box.points());
    made.zone = of.zone;
    std::size_t next = 0;
    made.arguments = std::apply(
        [&](const auto&... each) {
          // In braces, so that addresses are taken in the order of the arguments.
          std::tuple<decltype(detail::entry_of(each, of, next))...> all{detail::entry_of(each, of, next)...};
          return std::apply([](const auto&... one) { return detail::make_pack(one...); }, all);
        },
        kept_);
    new (to) entry{made};
  }
  void launch(const detail::zone_launch& where, std::span<const detail::zone_memory>) const override {
    const device_ptr<const entry> entries{static_cast<const entry*>(where.entries)};
    const device_ptr<const detail::zone_chunk> chunks{where.chunks};
    if (where.dev == nullptr)
      launch_here<detail::zone_rows<Body, D>>({.x = where.n_chunks}, name_.c_str(), entries, chunks);
    else
      yoke::launch<detail::zone_points<Body, D>>(*where.dev, where.stream,
                                                 {.x = where.n_chunks * detail::chunk_threads}, name_.c_str(),
                                                 entries, chunks);
  }

 protected:
  template <class Each>
  using in_entry = decltype(detail::entry_of(
      std::declval<const Each&>(), std::declval<const detail::zone_memory&>(), std::declval<std::size_t&>()));
  using entry = detail::zone_entry<D, detail::pack<in_entry<Kept>...>>;
  static_assert(std::is_trivially_copyable_v<entry>,
                "what a launch over zones is given beside fields is a trivially copyable value");
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
  std::tuple<Kept...> kept_;
};

}  // namespace YOKE_LAUNCHERS
}  // namespace yoke
