#include "exchange.hpp"

#include "halo_pieces.hpp"

#include <algorithm>

namespace yoke::detail {

namespace {

/// A unit whose elements are in the memory.
int unit_of(const layout& shape, const store& in, const index_set& own) {
  if (in.gpu != nullptr) return in.gpu->unit;
  const auto has_some = [&](const cell& each) {
    return each.units.front() < shape.n_cpu_units && contains(own[0].hull(), each.what[0].hull()) &&
           contains(own[1].hull(), each.what[1].hull()) && contains(own[2].hull(), each.what[2].hull()) &&
           contains(own[3].hull(), each.what[3].hull());
  };
  return std::ranges::find_if(shape.cells, has_some)->units.front();
}

}  // namespace

halo_exchange::halo_exchange(contents& of, const halo_state& wanted, ordered_copies& copies) : of_{of} {
  for (store& part : of_.gpus()) of_.load(part);
  of_.current = merged(wanted, of_.current);
  const auto queue = [&](store& to) {
    for (const index_set& own : to.own) queue_around(own, to, copies);
  };
  queue(of_.host());
  for (store& part : of_.gpus()) queue(part);
  // The copies above are queued on the device that gets them, so that pads come after them.
  for (const store& part : of_.gpus()) fill_pads(part);
}

void halo_exchange::finish_on_host() const { fill_pads(of_.host()); }

void halo_exchange::queue_around(const index_set& own, store& to, ordered_copies& copies) const {
  const layout& shape = of_.shape();
  const auto reaches_out = [&](int d) { return shape.is_cut(d) && of_.current.reaches_out(d); };
  if (!reaches_out(0) && !reaches_out(1) && !reaches_out(2) && !reaches_out(3)) return;
  const int near = unit_of(shape, to, own);
  for (const halo_piece& each : halo_around(shape, own, of_.current, to.room, near)) {
    const store& home = of_.nearest(each.unit, to.gpu);
    if (&home == &to && !each.is_elsewhere()) continue;
    for_each_copy({to.at, home.at, each.at, each.from, shape.element},
                  [&](const box_copy& box) { copies.add(home.gpu, to.gpu, box); });
  }
}

// Dimension after dimension, so that corners get what the dimensions before have put there.
void halo_exchange::fill_pads(const store& in) const {
  if (in.at.first == nullptr) return;
  const layout& shape = of_.shape();
  const auto has_pads = [&](int d) { return !shape.is_cut(d) && of_.current.reaches_out(d); };
  for (const index_set& own : in.own) {
    index_set around = own;
    for (int d = 0; d < shape.dimensions; ++d) {
      const auto at = static_cast<std::size_t>(d);
      if (!shape.is_cut(d)) around[d] = strip{in.room[d]};
      if (shape.is_cut(d) && shape.cut_of(d).cyclic == 0)
        around[d] = strip{common(in.room[d], bound{own[d].begin - of_.current.low[at],
                                                   own[d].end + of_.current.high[at]})};
    }
    for (int d = 0; d < shape.dimensions; ++d)
      if (has_pads(d)) fill_pads(in, around, d);
  }
}

void halo_exchange::fill_pads(const store& in, const index_set& around, int d) const {
  const layout& shape = of_.shape();
  const dimension& of = shape[d];
  const auto at = static_cast<std::size_t>(d);
  const auto fill = [&](const bound& pad) {
    if (pad.size() == 0) return;
    for_each_common(around, in.room, [&](index_set what) {
      what[d] = strip{pad};
      std::array<std::int64_t, 4> from = what.begins();
      from[at] = of.inside(pad.begin);
      queue_copy(in.gpu, in.gpu, {in.at, in.at, what, from, shape.element});
    });
  };
  const auto fill_side = [&](const bound& pads, edge_policy policy) {
    if (policy == edge_policy::periodic) return fill(pads);
    for (std::int64_t index = pads.begin; index < pads.end; ++index) fill({index, index + 1});
  };
  fill_side({-std::min(of_.current.low[at], of.pad_low()), 0}, of.at_low);
  fill_side({of.extent, of.extent + std::min(of_.current.high[at], of.pad_high())}, of.at_high);
}

}  // namespace yoke::detail
