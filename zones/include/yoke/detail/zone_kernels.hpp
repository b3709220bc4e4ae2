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

#include <yoke/detail/zone_calls.hpp>
#include <yoke/kernel.hpp>
#include <yoke/launch.hpp>
#include <yoke/view.hpp>
#include <yoke/zone_shapes.hpp>

namespace yoke::detail {

/// In the place of a field among the arguments of a launch.
template <class T, int D>
struct field_argument {
  field_form form;
};

/// What a kernel reads of a zone.
template <int D, class Pack>
struct zone_entry {
  std::int64_t extents[D];
  std::int64_t points;
  int stride[D];  ///< indices from a point to the one chunk_threads behind it, before they are carried
  int zone;
  Pack arguments;
};

template <class T, int D>
view<T, D> view_of(const field_form& form, const zone_box& box, void* memory) {
  const auto all = form.extents(box);
  std::int64_t begins[D], extents[D], strides[D], stride = 1;
  for (int d = D - 1; d >= 0; --d) {
    const auto inner = static_cast<std::size_t>(3 - D + d);
    begins[d] = -form.halo[inner];
    extents[d] = all[inner];
    strides[d] = stride;
    stride *= all[inner];
  }
  return view<T, D>{device_ptr<T>{static_cast<T*>(memory)}, begins, extents, strides};
}

// Of an argument of a launch what a kernel gets in a zone; fields take the next address.
template <class T, int D>
view<T, D> argument_in(const field_argument<T, D>& of, const zone_memory& zone, std::size_t& next) {
  return view_of<T, D>(of.form, zone.box, zone.fields[next++]);
}
template <class T>
T argument_in(const T& value, const zone_memory&, std::size_t&) {
  return value;
}

template <class T, int D>
YOKE_INLINE YOKE_HD view<T, D> with_rows(const view<T, D>& x) {
  if constexpr (std::is_const_v<T>)
    return x.with_contiguous_rows().unchanged();  // a launch that writes it names it once
  else
    return x.with_contiguous_rows();
}
template <class T>
YOKE_INLINE YOKE_HD const T& with_rows(const T& value) {
  return value;
}

template <class Body, class At, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD void call_zone_body(const At& at, const pack<>&, const Done&... done) {
  Body{}(at, done...);
}
template <class Body, class At, class First, class... Rest, class... Done>
YOKE_FLAT YOKE_INLINE YOKE_HD void call_zone_body(const At& at, const pack<First, Rest...>& args,
                                                  const Done&... done) {
  call_zone_body<Body>(at, args.rest, done..., with_rows(args.first));
}

/// The point with the number `at` in the order of memory.
template <int D, class Pack>
YOKE_INLINE YOKE_HD zone_index<D> point_of(const zone_entry<D, Pack>& of, std::int64_t at) {
  zone_index<D> where{};
  where.zone = of.zone;
  for (int d = 0; d < D; ++d) where.extents[d] = of.extents[d];
  auto rest = static_cast<std::uint32_t>(at);  // a zone has less than 2^31 points
  [[maybe_unused]] const auto row = static_cast<std::uint32_t>(of.extents[D - 1]);
  if constexpr (D == 1) {
    where.i = rest;
  } else if constexpr (D == 2) {
    where.j = rest % row;
    where.i = rest / row;
  } else {
    where.k = rest % row;
    rest /= row;
    where.j = rest % static_cast<std::uint32_t>(of.extents[1]);
    where.i = rest / static_cast<std::uint32_t>(of.extents[1]);
  }
  return where;
}
template <int D>
YOKE_INLINE YOKE_HD void set_last(zone_index<D>& at, std::int64_t value) {
  if constexpr (D == 1)
    at.i = value;
  else if constexpr (D == 2)
    at.j = value;
  else
    at.k = value;
}
template <int D>
YOKE_INLINE YOKE_HD void go_to_next_row(zone_index<D>& at) {
  if constexpr (D > 1) ++at.i;
  if constexpr (D > 2) {
    --at.i;
    if (++at.j < at.extents[1]) return;
    at.j = 0;
    ++at.i;
  }
}

/// To the point chunk_threads further on, without a division.
template <int D, class Pack>
YOKE_INLINE YOKE_HD void go_on(zone_index<D>& at, const zone_entry<D, Pack>& of) {
  at.i += of.stride[0];
  if constexpr (D > 1) at.j += of.stride[1];
  if constexpr (D > 2) {
    at.k += of.stride[2];
    if (at.k >= of.extents[2]) {
      at.k -= of.extents[2];
      ++at.j;
    }
  }
  if constexpr (D > 1)
    if (at.j >= of.extents[1]) {
      at.j -= of.extents[1];
      ++at.i;
    }
}

/// On a device: an item is a thread's share of a chunk. What it reads of the zone it reads once.
template <class Body, int D>
struct zone_points {
  static constexpr int block = chunk_threads;

  template <class Pack>
  YOKE_HD void operator()(yoke::item at, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x / chunk_threads];
    const zone_entry<D, Pack> of = entries[chunk.entry];
    const std::int64_t first = chunk.first + at.x % chunk_threads;
    zone_index<D> where = point_of<D>(of, first);
    if (chunk.first + chunk_points <= of.points) {  // without a question in between, so that reads come first
      YOKE_UNROLL(chunk_points / chunk_threads)
      for (std::int64_t by = 0; by < chunk_points; by += chunk_threads, go_on(where, of))
        call_zone_body<Body>(where, of.arguments);
    } else {
      for (std::int64_t by = 0; first + by < of.points; by += chunk_threads, go_on(where, of))
        call_zone_body<Body>(where, of.arguments);
    }
  }
};

/// On a CPU CU: an item is a chunk of rows.
template <class Body, int D>
struct zone_rows {
  template <class Pack>
  YOKE_HD void operator()(yoke::item at, device_ptr<const zone_entry<D, Pack>> entries,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x];
    const zone_entry<D, Pack> of = entries[chunk.entry];  // a copy, which no store of the body changes
    const std::int64_t length = of.extents[D - 1];
    zone_index<D> where = point_of<D>(of, chunk.first * length);
    for (std::int64_t row = 0; row < chunk.rows; ++row, go_to_next_row(where))
      for (std::int64_t last = 0; last < length; ++last) {
        zone_index<D> here = where;
        set_last(here, last);
        call_zone_body<Body>(here, of.arguments);
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

  std::size_t entry_bytes() const override { return sizeof(entry); }
  void write_entry(const detail::zone_memory& of, void* to) const override {
    entry made{};
    for (int d = 0; d < D; ++d) made.extents[d] = of.box.n[static_cast<std::size_t>(3 - D + d)];
    made.points = of.box.points();
    std::int64_t rest = detail::chunk_threads;
    for (int d = D - 1; d > 0; --d) {
      made.stride[d] = static_cast<int>(rest % made.extents[d]);
      rest /= made.extents[d];
    }
    made.stride[0] = static_cast<int>(rest);
    made.zone = of.zone;
    std::size_t next = 0;
    made.arguments = std::apply(
        [&](const auto&... each) {
          // In braces, so that addresses are taken in the order of the arguments.
          std::tuple<decltype(detail::argument_in(each, of, next))...> all{
              detail::argument_in(each, of, next)...};
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
  using given = decltype(detail::argument_in(
      std::declval<const Each&>(), std::declval<const detail::zone_memory&>(), std::declval<std::size_t&>()));
  using entry = detail::zone_entry<D, detail::pack<given<Kept>...>>;
  static_assert(std::is_trivially_copyable_v<entry>,
                "what a launch over zones is given beside fields is a trivially copyable value");
  const char* name() const { return name_.c_str(); }

 private:
  std::string name_;
  std::tuple<Kept...> kept_;
};

}  // namespace YOKE_LAUNCHERS
}  // namespace yoke
