/// What comes to the units of a loop before it runs.
#include "loop_parts.hpp"

#include <algorithm>

namespace yoke::detail {

namespace {

/// What of what is declared may be in another memory, or at an edge.
halo_state wanted_halo(const used_array& use) {
  const layout& shape = use.elements->shape();
  halo_state wanted;
  int n_cut = 0;
  for (int d = 0; d < shape.dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (!shape.is_cut(d)) {
      wanted.low[at] = std::min(use.declared.low[at], shape[d].pad_low());
      wanted.high[at] = std::min(use.declared.high[at], shape[d].pad_high());
    } else if (use.elements->has_halo_to_exchange(d)) {
      wanted.low[at] = use.declared.low[at];
      wanted.high[at] = use.declared.high[at];
      if (wanted.reaches_out(d)) ++n_cut;
    }
  }
  wanted.corners = use.declared.corners && n_cut > 1;
  return wanted;
}

}  // namespace

any_box written_by(const any_box& over, const used_array& use) {
  any_box what = use.elements->shape().all();
  for (int d = 0; d < over.dimensions && !use.is_transposed && !use.is_result; ++d)
    what[d] = common(what[d], over[d]);
  return what;
}

memory_set loop_parts::memories_at_work() const {
  memory_set found;
  if (any_on_cpus()) found.insert(0);
  for (std::size_t i = 0; i < context.gpus.size(); ++i)
    if (!share_of(context.gpus[i].unit).empty()) found.insert(static_cast<int>(i) + 1);
  return found;
}

void loop_parts::find_halos() {
  if (over.empty()) return;
  for (used_array& use : uses) {
    if (use.is_everywhere) use.declared.all_in = use.wanted.all_in = memories_at_work();
    if (use.has_halo && !use.is_everywhere) use.wanted = wanted_halo(use);
  }
}

void loop_parts::bring_halos() {
  for (const used_array& use : uses)
    if (!use.elements->current.covers(use.wanted)) exchanges.emplace_back(*use.elements, use.wanted, copies);
  if (!exchanges.empty()) copies.close();
  for (const used_array& use : uses)
    if (writes(use)) use.elements->current = use.elements->current.after_write(written_by(over, use));
}

void loop_parts::finish_halos_on_host() {
  copies.wait_on_host();
  for (const halo_exchange& each : exchanges) each.finish_on_host();
}

}  // namespace yoke::detail
