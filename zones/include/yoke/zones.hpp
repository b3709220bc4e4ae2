// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Multi-block codes: zones of unlike sizes, fields with halos, and a time step that all units march through
/// without a barrier.
///
///   yoke::runtime rt;
///   yoke::zones blocks{rt, n, [&](int z) { return yoke::zone_extents<3>{nz(z), ny(z), nx(z)}; }};
///   for (int z = 0; z < n; ++z) blocks.join({z, yoke::side::high(2)}, {east(z), yoke::side::low(2)});
///   yoke::zoned<double, 3> u{blocks, yoke::halo{0, 0, 1}, "u"}, v{blocks, yoke::halo{0, 0, 1}, "v"};
///   yoke::zone_recording step = blocks.record([&](yoke::zone_step& s) {
///     s.launch<advance>("advance", in(u), out(v), dt);   // for all points of all zones
///     s.swap(u, v);
///   });
///   step.replay(1000);
///   use(u.host(7));                                      // waits
///
/// What follows from that: which unit runs which zone (any schedule deals them out, by measured speeds), one
/// launch for all zones of a unit, the exchange of halos where a launch reads them and a neighbour has
/// changed, one message for each pair of units and field, sent behind the zones that have neighbours
/// elsewhere while the others run, and graphs on GPUs. A unit waits for its neighbours' faces alone. The bits
/// of a field depend on none of this.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <yoke/detail/zone_calls.hpp>
#include <yoke/ids.hpp>
#include <yoke/ranks.hpp>
#include <yoke/zone_shapes.hpp>

namespace yoke {

class runtime;
class zones;
class zone_step;
namespace detail {
class zones_core;
class zone_program;

struct zone_list {
  int dimensions = 0;
  std::vector<zone_box> boxes;
};
template <std::size_t D>
void add_zone(zone_list& to, const std::array<std::int64_t, D>& n) {
  static_assert(D >= 1 && D <= 3, "zones have one to three dimensions");
  to.dimensions = static_cast<int>(D);
  zone_box box;
  for (std::size_t d = 0; d < D; ++d) box.n[3 - D + d] = n[d];
  to.boxes.push_back(box);
}
template <class Extents>
zone_list list_of_zones(int n, const Extents& extents_of) {
  zone_list all;
  for (int zone = 0; zone < n; ++zone) add_zone(all, extents_of(zone));
  return all;
}

field_form form_of(int dimensions, const element_form& element, const halo& beside, const std::string& name);
int add_field(zones_core& to, const field_form& form, std::string name);
void remove_field(zones_core& of, int field) noexcept;
void* host_zone(zones_core& of, int field, int zone, bool writes);
const zone_box& box_of(const zones_core& of, int zone);
zones_core& core_of(zones& of);
std::shared_ptr<zones_core> shared_core_of(zones& of);
}  // namespace detail

/// What is said of zones beside their extents.
struct zone_options {
  std::string schedule{};         ///< as YOKE_SCHEDULE, which counts where this is empty
  std::vector<double> weights{};  ///< work of each zone; empty: its points
  /// Bytes that a GPU CU needs for each zone beside its fields, as for what call_prepared prepares; empty: 0.
  std::vector<std::size_t> gpu_bytes{};
  std::int64_t steps = 0;  ///< how many will count, so that nothing moves that cannot pay; 0: unknown
  bool warms_up = false;   ///< steps come first whose time does not count: zone_recording::warm_up
};

/// What record has listed. Movable; belongs to its zones, and keeps them.
class zone_recording {
 public:
  explicit zone_recording(std::unique_ptr<detail::zone_program> steps);
  ~zone_recording();
  zone_recording(zone_recording&&) noexcept;
  zone_recording& operator=(zone_recording&&) noexcept;

  /// So many steps more; returns when they are told. Swaps take effect in each. Where the schedule looks at
  /// its map, which it does less and less often, it waits for what was told. Errors: usage_error for fewer
  /// than 0 steps, in a parallel region, in a body and in a forked child, and where a field of it has ended;
  /// out_of_memory; what fails later is thrown by zones::wait and by zoned::host.
  void replay(std::int64_t steps = 1);
  /// As many steps as it takes until memory and kernels are warm and the schedule has its map, of a program
  /// that will run `steps` of them and starts again then. Returns how many. The schedule goes by this
  /// recording from then on; by the one with most steps where none was warmed up. Errors: as replay.
  std::int64_t warm_up(std::int64_t steps);
  /// Which unit has which zones, what travels in a step, and what was measured.
  std::string explain() const;

 private:
  std::unique_ptr<detail::zone_program> steps_;
};

/// Zones on the units of a runtime, which must outlive what is made of them. Call from one thread, outside of
/// parallel regions.
class zones {
 public:
  /// `extents_of(zone)` is a zone_extents<D>. Errors: usage_error for no zone, an extent below 1, more than
  /// 2^31 - 1 points in a zone, weights that are not one positive number for each; config_error for a
  /// schedule that there is not.
  template <class Extents>
  zones(runtime& rt, int n, const Extents& extents_of, const zone_options& options = {})
      : zones{rt, nullptr, detail::list_of_zones(n, extents_of), options} {}
  /// Shared among processes, of which each has some of the zones, and knows the extents of all: all make the
  /// same zones, joins, fields, recordings, replays and sums, in the same order. `among` outlives what is
  /// made of them.
  template <class Extents>
  zones(runtime& rt, ranks& among, int n, const Extents& extents_of, const zone_options& options = {})
      : zones{rt, &among, detail::list_of_zones(n, extents_of), options} {}
  ~zones();
  zones(const zones&) = delete;
  zones& operator=(const zones&) = delete;

  int size() const;
  /// The points of `a` next to that side are in the halo of `b` at its side, and the other way round. Before
  /// any field is made. `turn`: of b, seen from a; zones that are turned have no corners in halos. Errors:
  /// usage_error for a zone or a side that there is not, a side that is joined already, sides that do not
  /// meet (a high one and a low one of the same dimension do), unlike extents along the face.
  void join(zone_end a, zone_end b, const zone_transform& turn = {});

  /// Lists what `step` launches, and runs nothing. Errors: usage_error as zone_step.
  [[nodiscard]] zone_recording record(const std::function<void(zone_step&)>& step);
  /// Waits for all that was told. Errors: the first that nobody was told; usage_error as replay.
  void wait();
  /// The unit of each zone, once there is a field; a replay may change it. -1: on another rank.
  std::vector<unit_id> map();
  /// The rank that has a zone, once there is a field; 0 where there are no others. It stays. Errors:
  /// usage_error for a zone that there is not, and before the first field.
  int rank_of(int zone) const;
  /// Whether it is this one.
  bool is_here(int zone) const;

 private:
  template <class T, int D>
    requires(D >= 1 && D <= 3 && std::rank_v<T> <= 1 && std::is_trivially_copyable_v<T> &&
             !std::is_const_v<T>)
  friend class zoned;
  friend detail::zones_core& detail::core_of(zones& of);
  friend std::shared_ptr<detail::zones_core> detail::shared_core_of(zones& of);
  zones(runtime& rt, ranks* among, detail::zone_list all, const zone_options& options);

  std::shared_ptr<detail::zones_core> core_;
};

}  // namespace yoke
