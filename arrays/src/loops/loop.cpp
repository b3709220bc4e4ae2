#include "../moves/moved_parts.hpp"
#include "../shapes/row_start.hpp"
#include "balance.hpp"
#include "loop_parts.hpp"
#include "loop_timer.hpp"
#include "overlap.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/detail/loop.hpp>
#include <yoke/detail/recorder.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

void check_reach(const char* name, const array_state& of, int dimensions, const array_use& use) {
  for (int d = 0; d < dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (use.low[at] >= 0 && use.high[at] >= 0) continue;
    throw usage_error{fmt::format(
        "for_each '{}': {} is read with a reach of {} below and {} above in dimension {}; 0 or more", name,
        of.called(), use.low[at], use.high[at], d)};
  }
}

/// What a loop reads beside own elements.
void declare_halo(used_array& made, const array_use& use) {
  const layout& shape = made.elements->shape();
  for (int d = 0; d < shape.dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    made.declared.low[at] = std::min(use.low[at], shape[d].low);
    made.declared.high[at] = std::min(use.high[at], shape[d].high);
  }
  made.declared.corners = use.has_corners;
}

used_array use_of(const array_context& context, const char* name, const array_use& use) {
  array_state& state = use.array->state();
  if (&state.context() != &context)
    throw usage_error{fmt::format("for_each '{}': an array of another runtime is used", name)};
  contents& elements = state.usable("for_each");
  used_array made{.state = &state,
                  .elements = &elements,
                  .how = use.how,
                  .has_halo = use.has_halo && use.how == role::in,
                  .is_transposed = use.is_transposed,
                  .is_everywhere = use.is_everywhere,
                  .is_result = use.is_result};
  if (!made.has_halo || use.is_everywhere) return made;
  check_reach(name, state, elements.shape().dimensions, use);
  declare_halo(made, use);
  return made;
}

bool covers(const any_box& over, const layout& shape, const store& part) {
  if (over.dimensions != shape.dimensions) return false;
  const any_box own = hull_of(part.own);
  for (int d = 0; d < over.dimensions; ++d)
    if (!contains(over[d], own[d])) return false;
  return true;
}

/// Errors: out_of_memory, before anything has moved.
void hold_everywhere(std::span<const array_use> uses) {
  for (const array_use& use : uses)
    if (use.is_everywhere) hold_everywhere(use.array->state().usable("for_each"));
}

/// What is overwritten as a whole need not be brought first.
void load(const loop_parts& parts, const used_array& use) {
  for (store& part : use.elements->gpus()) {
    if (part.loaded) continue;
    if (use.how == role::out && !use.is_transposed && covers(parts.over, use.elements->shape(), part)) {
      part.loaded = true;
    } else {
      use.elements->load(part);
    }
  }
}

void let_halos_travel_beside(loop_parts& parts) {
  parts.beside = halo_streams::of(parts.keeps);
  for (const used_array& use : parts.uses) use.elements->beside = parts.beside;
}

}  // namespace

share loop_parts::share_of(int unit) const {
  if (shape() != nullptr) return detail::share_of(*shape(), unit, over);
  share made{index_set{over}, over};
  made.within[0] = dealt[static_cast<std::size_t>(unit)];
  return made;
}

bool loop_part::is_on_gpu() const { return unit_ >= of_.context.n_cpu_units; }

bool loop_part::is_counted() const { return of_.is_counted(unit_); }

placed_view loop_part::view(std::size_t use) const {
  const used_array& of = of_.uses[use];
  const layout& shape = of.elements->shape();
  const store& in = of.elements->of_unit(unit_);
  const index_set& part = shape.part_of(unit_);
  const any_box hull = tiles_ != nullptr ? hull_of(in.own) : part.hull();
  placed_view made;
  std::array<std::int64_t, 4> begins{};
  for (int d = 0; d < 4; ++d) {
    const auto at = static_cast<std::size_t>(d);
    bound own = hull[d];
    if (const int along = of.along[at]; along != no_dimension && !part[d].is_range())
      own = piece_around(part[d], over_[along]);
    const bound with_halo{own.begin - of.declared.low[at], own.end + of.declared.high[at]};
    const bound range = of.is_everywhere ? bound{shape[d].extent} : common(with_halo, shape[d].with_pads());
    begins[at] = made.begins[d] = range.begin;
    made.extents[d] = range.size();
    made.strides[d] = in.at.strides[at];
  }
  if (in.at.first != nullptr)
    made.first = in.at.first + in.at.distance_to(begins) * static_cast<std::int64_t>(shape.element);
  return made;
}

std::int64_t loop_part::misaligned() const {
  const auto written = std::ranges::find_if(of_.uses, is_written);
  if (!is_on_gpu() || written == of_.uses.end()) return 0;
  const layout& shape = written->elements->shape();
  if (written->is_transposed || shape.dimensions != over_.dimensions) return 0;
  const auto last = static_cast<std::size_t>(over_.dimensions - 1);
  const placed_view at = view(static_cast<std::size_t>(written - of_.uses.begin()));
  const bound& row = over_[over_.dimensions - 1];
  const auto bytes = (row.begin - at.begins[last]) * static_cast<std::int64_t>(shape.element);
  return elements_past_line(
      {.first = reinterpret_cast<std::uintptr_t>(at.first) + static_cast<std::uintptr_t>(bytes),
       .element = static_cast<std::int64_t>(shape.element),
       .stride = last > 0 ? at.strides[last - 1] : 0,
       .length = row.size()});
}

loop_part::unit_facts loop_part::unit_of_part() const {
  if (const gpu_unit* on = gpu()) return {1, on->dev, on->stream};
  return {of_.context.rt().units().shape().cpus_per_unit, nullptr, {}};
}

const gpu_unit* loop_part::gpu() const { return on_ != nullptr ? on_ : of_.context.gpu_of(unit_); }

void loop_part::run(const kernel_call& call) const {
  if (!is_on_gpu()) return run_on_cpus(call, of_.context.checks, tiles_);
  gpu()->dev->launch(gpu()->stream, call);
}

void* loop_part::scratch(std::size_t bytes) const {
  of_.bring_results(of_.context.gpu_of(unit_));  // what is there is about to be overwritten
  const scratch_purpose purpose{
      "partial results", of_.name,
      "end arrays that are not needed there, or give the unit fewer rows (dist::weighted)"};
  if (of_.recorded != nullptr) return of_.recorded->scratch(*of_.context.gpu_of(unit_), bytes, purpose);
  return of_.context.scratch(static_cast<std::size_t>(unit_ - of_.context.n_cpu_units), bytes, purpose);
}

void loop_part::copy_to_host(void* to, const void* from, std::size_t bytes) const {
  if (of_.recorded != nullptr && is_on_gpu())
    return of_.recorded->copy_to_host_at_end(*of_.context.gpu_of(unit_), to, from, bytes);
  const gpu_unit* const gpu = of_.context.gpu_of(unit_);
  if (gpu != nullptr) return of_.results.push_back({gpu, to, from, bytes});
  queue_copy(nullptr, nullptr, {.to = to, .from = from, .bytes = bytes});
}

void loop_part::copy_from_host(void* to, const void* from, std::size_t bytes) const {
  queue_copy(nullptr, of_.context.gpu_of(unit_), {.to = to, .from = from, .bytes = bytes});
}

loop::loop(runtime& rt, const char* name, const any_box& over, std::span<const array_use> uses,
           taking_part who, const loop_sharing* sharing) {
  refuse_in_region("for_each");
  check_number_of_indices(name, over);
  const std::shared_ptr<array_context> context = array_context::of(rt);
  parts_ = std::unique_ptr<loop_parts>(new loop_parts{.keeps = context,
                                                      .context = *context,
                                                      .name = name,
                                                      .over = over,
                                                      .uses = {},
                                                      .who = who,
                                                      .copies = ordered_copies{*context}});
  parts_->guard = std::unique_lock{context->lock};
  if (!is_recording(rt)) balance_before_loop(uses, sharing, over, *context);
  hold_everywhere(uses);
  parts_->uses.reserve(uses.size());
  for (const array_use& use : uses) parts_->uses.push_back(use_of(*context, name, use));
  if (sharing != nullptr) share_by_hand(*parts_, *sharing);
  check_uses(*parts_);
}

loop::~loop() = default;

std::vector<std::int64_t> loop::cuts(int d) const {
  const loop_parts& parts = *parts_;
  std::vector<std::int64_t> cuts{parts.over[d].begin, parts.over[d].end};
  for (int unit = 0; unit < parts.context.n_units(); ++unit) {
    const share mine = parts.share_of(unit);
    if (mine.empty() || !parts.is_counted(unit)) continue;
    for_each_common(mine.of[d], mine.within[d], [&](const strip& side) {
      for (std::int64_t i = 0; i < side.pieces(); ++i) {
        cuts.push_back(side.piece(i).begin);
        cuts.push_back(side.piece(i).end);
      }
    });
  }
  std::ranges::sort(cuts);
  const auto repeated = std::ranges::unique(cuts);
  cuts.erase(repeated.begin(), repeated.end());
  return cuts;
}

void loop_parts::run_gpus(const part_body& body) {
  for (const gpu_unit& gpu : context.gpus) run_unit(gpu.unit, body);
}

void loop_parts::run_unit(int unit, const part_body& body) {
  share_of(unit).for_each([&](const any_box& box) { body(loop_part{*this, unit, box}); });
}

/// Else nobody need be woken.
bool loop_parts::any_on_cpus() const {
  for (int unit = 0; unit < context.n_cpu_units; ++unit)
    if (!share_of(unit).empty()) return true;
  return false;
}

void loop_parts::run_cpus(const part_body& body) {
  if (!any_on_cpus()) return;
  begin_on_cpus();
  context.each_unit([&](unit_id unit) {
    if (unit < context.n_cpu_units) run_cpu(unit, body);
  });
}

void loop::run(const part_body& body, bool waits, bool in_pieces) {
  loop_parts& parts = *parts_;
  if (parts.over.empty()) return;
  try {
    loop_timer timer{parts};
    for (const used_array& use : parts.uses) load(parts, use);
    const part_body& timed = timer.around(body);
    if (in_pieces && !timer.is_on() && overlaps(parts, waits)) {
      let_halos_travel_beside(parts);
      parts.run_gpus_beside(body, waits);
    } else {
      timer.begin_exchange();
      parts.bring_halos();
      parts.run_gpus(timed);
    }
    parts.finish_halos_on_host();
    timer.end_exchange();
    parts.run_cpus(timed);
    if (!parts.results.empty())
      parts.bring_results();
    else if (waits || parts.context.checks || timer.is_on())
      wait_for(parts.context.gpus);
    timer.finish();
  } catch (...) {
    if (parts.beside != nullptr) drain(parts.beside->all());
    drain(parts.context.gpus);  // what is queued uses memory of the caller
    for (const used_array& use : parts.uses) use.elements->current = {};
    parts.results.clear();
    throw;
  }
}

}  // namespace yoke::detail
