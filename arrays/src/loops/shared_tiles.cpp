#include "shared_tiles.hpp"

#include "loop_parts.hpp"

#include <yoke/launch.hpp>

namespace yoke::detail {

namespace {

struct tiles_in_turns {
  const kernel_call& all;
  std::atomic<std::int64_t>& next;
};

void run_in_turns(const void* arguments, const item_range&) {
  const auto& of = *static_cast<const tiles_in_turns*>(arguments);
  for (std::int64_t at; (at = of.next.fetch_add(1, std::memory_order_relaxed)) < of.all.items.x;)
    of.all.host_entry(of.all.arguments, {.first_x = at, .last_x = at + 1});
}

/// Whether CPU CUs share the tiles of the loop. Those of one memory may, and do where nobody said who runs
/// what: what a late one does not come to the others do.
bool share_tiles(const loop_parts& parts) {
  if (!parts.who.cpu_tiles || parts.leader == nullptr || parts.aligned != nullptr) return false;
  const layout& shape = parts.leader->shape();
  for (int d = 0; d < shape.dimensions; ++d)
    if (shape.is_cut(d) && d != shape.balanced) return false;
  return shape.balanced >= 0;
}

/// Of the loop. Requires: share_tiles.
any_box indices_of_cpus(const loop_parts& parts) {
  const int along = parts.leader->shape().balanced;
  any_box all = parts.over;
  all[along].end = all[along].begin;
  for (int unit = 0; unit < parts.context.n_cpu_units; ++unit)
    parts.share_of(unit).for_each([&](const any_box& box) {
      if (all.empty()) all[along].begin = box[along].begin;
      all[along].end = box[along].end;
    });
  return all;
}

}  // namespace

void shared_tiles::run(const kernel_call& call) {
  const tiles_in_turns mine{call, next_};
  kernel_call turns = call;
  turns.host_entry = &run_in_turns;
  turns.arguments = &mine;
  run_on_calling_unit(turns);
}

loop_part::loop_part(loop_parts& of, int unit, shared_tiles& tiles)
    : of_{of}, unit_{unit}, over_{tiles.over()}, box_{tiles.over()}, tiles_{&tiles} {}

// A recorded loop may have had tiles before its arrays were redistributed.
void loop_parts::begin_on_cpus() {
  tiles.reset();
  if (share_tiles(*this)) tiles.emplace(indices_of_cpus(*this));
}

void loop_parts::run_cpu(int unit, const part_body& body) {
  if (!tiles) return run_unit(unit, body);
  if (!tiles->over().empty()) body(loop_part{*this, unit, *tiles});
}

}  // namespace yoke::detail
