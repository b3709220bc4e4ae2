#include "exchange.hpp"

#include <algorithm>
#include <utility>

#include <yoke/error.hpp>

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
  const halo_state before = of_.current;
  of_.current = merged(wanted, before);
  std::vector<halo_copy> all = find_copies();
  find_everywhere(wanted.all_in, before, all);
  const auto last_packed =
      std::ranges::partition(all, [&](const halo_copy& each) { return has_short_rows(each); }).begin();
  std::span<halo_copy> packed{all.begin(), last_packed};
  if (!reserve(packed)) packed = {};
  queue_packed(packed, copies);
  for (const halo_copy& each : std::span{all}.subspan(packed.size()))
    for_each_copy(elements_of(each),
                  [&](const box_copy& box) { copies.add(each.from->gpu, each.to->gpu, box); });
  // The copies above are queued on the device that gets them, so that pads come after them.
  for (const store& part : of_.gpus()) fill_pads(part);
}

void halo_exchange::finish_on_host() const {
  for (const halo_copy& each : for_host_) unpack(each);
  fill_pads(of_.host());
}

std::vector<halo_copy> halo_exchange::find_copies() const {
  std::vector<halo_copy> all;
  const auto find = [&](store& to) {
    for (const index_set& own : to.own) find_copies(own, to, all);
  };
  if (!of_.host().is_const) find(of_.host());  // else it has them all
  for (store& part : of_.gpus()) find(part);
  return all;
}

void halo_exchange::find_copies(const index_set& own, store& to, std::vector<halo_copy>& all) const {
  const layout& shape = of_.shape();
  const auto reaches_out = [&](int d) { return shape.is_cut(d) && of_.current.reaches_out(d); };
  if (!reaches_out(0) && !reaches_out(1) && !reaches_out(2) && !reaches_out(3)) return;
  const int near = unit_of(shape, to, own);
  for (halo_piece& each : halo_around(shape, own, of_.current, to.held, near)) {
    const store& home = of_.nearest(each.unit, to.gpu);
    if (&home != &to || each.is_elsewhere()) all.push_back({&to, &home, std::move(each)});
  }
}

void halo_exchange::find_everywhere(const memory_set& to, const halo_state& before,
                                    std::vector<halo_copy>& all) const {
  for (const int number : to) {
    const store& in = number == 0 ? of_.host() : of_.gpus()[static_cast<std::size_t>(number - 1)];
    if (in.at.first == nullptr || in.is_const) continue;
    const any_box& what = before.all_in.contains(number) ? before.changed : of_.shape().all();
    for_each_source(of_, index_set{what}, in.gpu, [&](const store& home, const index_set& some) {
      if (&home != &in) all.push_back({&in, &home, {some, some.begins()}});
    });
  }
}

element_copy halo_exchange::elements_of(const halo_copy& what) const {
  return {what.to->at, what.from->at, what.what.at, what.what.from, of_.shape().element};
}

bool halo_exchange::has_short_rows(const halo_copy& what) const {
  if (what.to->gpu == what.from->gpu || !what.what.at.is_box()) return false;
  const levelled_copy rows = levels_of(elements_of(what));
  return !rows.levels.empty() && rows.bytes < long_row;
}

bool halo_exchange::reserve(std::span<halo_copy> packed) {
  if (packed.empty()) return true;
  messages_ = of_.messages.take(of_.shared_context());
  std::vector<std::size_t> bytes(of_.gpus().size() + 1);
  const auto add = [&](const store& at, std::size_t more) {
    return std::exchange(bytes[messages_->number_of(at.gpu)], bytes[messages_->number_of(at.gpu)] + more);
  };
  for (halo_copy& each : packed) {
    constexpr std::size_t line = 64;
    const std::size_t size = static_cast<std::size_t>(each.what.at.size()) * of_.shape().element;
    each.at_source = add(*each.from, (size + line - 1) / line * line);
    each.at_target = add(*each.to, (size + line - 1) / line * line);
  }
  try {
    messages_->reserve(bytes);
  } catch (const out_of_memory&) {
    messages_ = {};
    return false;
  }
  return true;
}

// All that a device packs comes before what others copy from it.
void halo_exchange::queue_packed(std::span<halo_copy> packed, ordered_copies& copies) {
  for (const halo_copy& each : packed) {
    pack(each);
    if (each.from->gpu != nullptr) copies.has_more_to_copy(*each.from->gpu);
  }
  for (halo_copy& each : packed) {
    copies.add(each.from->gpu, each.to->gpu,
               {.to = messages_->first(each.to->gpu) + each.at_target,
                .from = messages_->first(each.from->gpu) + each.at_source,
                .bytes = static_cast<std::size_t>(each.what.at.size()) * of_.shape().element});
    if (each.to->gpu == nullptr) {
      for_host_.push_back(std::move(each));
    } else {
      unpack(each);
    }
  }
}

void halo_exchange::pack(const halo_copy& what) const {
  const gpu_unit* const on = what.from->gpu;
  const frame message = frame_of(messages_->first(on) + what.at_source, what.what.at.hull());
  queue_copy(on, on, {message, what.from->at, what.what.at, what.what.from, of_.shape().element});
}

void halo_exchange::unpack(const halo_copy& what) const {
  const gpu_unit* const on = what.to->gpu;
  const frame message = frame_of(messages_->first(on) + what.at_target, what.what.at.hull());
  queue_copy(on, on, {what.to->at, message, what.what.at, what.what.at.begins(), of_.shape().element});
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
      if (!shape.is_cut(d)) around[d] = strip{in.held[d]};
      if (shape.is_cut(d) && !shape.cut_of(d).goes_round())
        around[d] = strip{
            common(in.held[d], bound{own[d].begin - of_.current.low[at], own[d].end + of_.current.high[at]})};
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
    for_each_common(around, in.held, [&](index_set what) {
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

void exchange_halos(contents& of, const halo_state& wanted) {
  ordered_copies copies{of.context()};
  const halo_exchange exchange{of, wanted, copies};
  copies.close();
  copies.wait_on_host();
  exchange.finish_on_host();
}

}  // namespace yoke::detail
