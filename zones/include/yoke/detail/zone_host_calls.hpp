// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a host function is called for zones.

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <yoke/compute_units.hpp>
#include <yoke/detail/zone_kernels.hpp>
#include <yoke/zone_shapes.hpp>

namespace yoke {

/// Of a host function that runs for one zone (zone_step::call).
struct zone_site {
  int zone = 0;
  detail::zone_box box;
  device* dev = nullptr;  ///< null on a CPU CU, whose CPUs the calling thread has
  stream_handle stream{};
  const compute_unit* unit = nullptr;

  bool is_gpu() const { return dev != nullptr; }
};

/// Of a host function that runs for several zones of one unit (zone_step::call_batch, call_prepared).
struct zone_batch {
  std::span<const int> zones;  ///< ascending
  device* dev = nullptr;       ///< null on a CPU CU, whose CPUs the calling thread has
  stream_handle stream{};
  const compute_unit* unit = nullptr;
  std::span<const detail::zone_memory> memory{};  ///< the library's own
  int dimensions = 3;                             ///< of zones

  bool is_gpu() const { return dev != nullptr; }
  /// The place in `zones` of the zone that is joined to zones[i] at that side, if it is of this batch and not
  /// turned, else -1: where it is one, a call with inout(u, yoke::sends_faces) fills the halo of that zone.
  int neighbour(std::size_t i, side at) const {
    const int dimension = at.dimension + 3 - dimensions;
    return memory[i].neighbours[static_cast<std::size_t>(2 * dimension + (at.is_high ? 1 : 0))];
  }
};

namespace detail {

/// Reads no table, and runs anew in each step.
class zone_host_function : public zone_call {
 public:
  std::size_t entry_bytes() const override { return 0; }
  void write_entry(const zone_memory&, void*) const override {}
  bool is_recordable() const override { return false; }
};

/// For each zone of a batch.
template <class Body, class... Kept>
class zone_host_call final : public zone_host_function {
 public:
  zone_host_call(Body body, const Kept&... kept) : body_{std::move(body)}, kept_{kept...} {}

  void launch(const zone_launch& where, std::span<const zone_memory> batch) const override {
    for (const zone_memory& each : batch) {
      std::size_t next = 0;
      const zone_site site{each.zone, each.box, where.dev, where.stream, where.unit};
      std::apply(
          [&](const auto&... kept) {
            std::tuple<decltype(argument_in(kept, each, next))...> all{argument_in(kept, each, next)...};
            std::apply([&](const auto&... one) { body_(site, one...); }, all);
          },
          kept_);
    }
  }

 private:
  Body body_;
  std::tuple<Kept...> kept_;
};

// Of an argument what a function for a batch gets: of a field its view in each zone.
template <class T, int D>
std::vector<field_view<T, D>> arguments_in(const field_argument<T, D>& of, std::span<const zone_memory> batch,
                                           std::size_t& next) {
  std::vector<field_view<T, D>> all;
  for (const zone_memory& each : batch) all.push_back(view_of<T, D>(of.form, each.box, each.fields[next]));
  ++next;
  return all;
}
template <class T>
T arguments_in(const T& value, std::span<const zone_memory>, std::size_t&) {
  return value;
}

template <class>
inline constexpr int dimensions_of_kept = 0;
template <class T, int D>
inline constexpr int dimensions_of_kept<field_argument<T, D>> = D;

/// Calls `body` once with views of all zones of a batch; what it returns.
template <class Body, class... Kept>
decltype(auto) call_with_batch(const Body& body, const std::tuple<Kept...>& kept, const zone_launch& where,
                               std::span<const zone_memory> batch) {
  std::vector<int> zones;
  for (const zone_memory& each : batch) zones.push_back(each.zone);
  const zone_batch of{zones,      where.dev, where.stream,
                      where.unit, batch,     std::max({1, dimensions_of_kept<Kept>...})};
  std::size_t next = 0;
  return std::apply(
      [&](const auto&... each) -> decltype(auto) {
        std::tuple<decltype(arguments_in(each, batch, next))...> all{arguments_in(each, batch, next)...};
        return std::apply([&](const auto&... one) -> decltype(auto) { return body(of, one...); }, all);
      },
      kept);
}

/// Once for a batch.
template <class Body, class... Kept>
class zone_batch_call final : public zone_host_function {
 public:
  zone_batch_call(Body body, const Kept&... kept) : body_{std::move(body)}, kept_{kept...} {}
  bool takes_batch() const override { return true; }

  void launch(const zone_launch& where, std::span<const zone_memory> batch) const override {
    call_with_batch(body_, kept_, where, batch);
  }

 private:
  Body body_;
  std::tuple<Kept...> kept_;
};

/// What was prepared for a batch.
class zone_prepared_work final : public zone_host_function {
 public:
  explicit zone_prepared_work(std::function<void(stream_handle)> work) : work_{std::move(work)} {}
  bool is_recordable() const override { return true; }
  bool may_launch_many() const override { return true; }
  void launch(const zone_launch& where, std::span<const zone_memory>) const override { work_(where.stream); }

 private:
  std::function<void(stream_handle)> work_;
};

/// Prepares work for each batch.
template <class Prepare, class... Kept>
class zone_prepared_call final : public zone_host_function {
 public:
  zone_prepared_call(Prepare prepare, const Kept&... kept) : prepare_{std::move(prepare)}, kept_{kept...} {}
  bool takes_batch() const override { return true; }

  std::shared_ptr<const zone_call> made_for(const compute_unit& unit,
                                            std::span<const zone_memory> batch) const override {
    return std::make_shared<zone_prepared_work>(
        call_with_batch(prepare_, kept_, {&unit, unit.dev, unit.stream}, batch));
  }
  void launch(const zone_launch&, std::span<const zone_memory>) const override {}  // made_for is what runs

 private:
  Prepare prepare_;
  std::tuple<Kept...> kept_;
};

}  // namespace detail
}  // namespace yoke
