#include "balance.hpp"
#include "loop_parts.hpp"
#include "loop_timer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/launch.hpp>
#include <yoke/loop.hpp>
#include <yoke/openmp.hpp>
#include <yoke/recorder.hpp>
#include <yoke/view.hpp>

namespace yoke::detail {

namespace {

bound common(const bound& a, const bound& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

used_array use_of(const array_context& context, const char* name, const array_use& use) {
  array_state& state = use.array->state();
  if (&state.context() != &context)
    throw usage_error{fmt::format("for_each '{}': an array of another runtime is used", name)};
  contents& elements = state.usable("for_each");
  const layout& shape = elements.shape();
  used_array made{.state = &state,
                  .elements = &elements,
                  .how = use.how,
                  .has_halo = use.has_halo && use.how == role::in};
  if (!made.has_halo) return made;
  made.low = std::min(use.low, shape[0].low);
  made.high = std::min(use.high, shape[0].high);
  if (elements.has_rows_to_exchange()) made.wanted = {.low = made.low, .high = made.high};
  made.wanted.inner = shape.has_inner_pads();
  return made;
}

bool covers(const any_box& over, const layout& shape, const bound& own) {
  if (over.dimensions != shape.dimensions) return false;
  if (over[0].begin > own.begin || over[0].end < own.end) return false;
  for (int d = 1; d < over.dimensions; ++d)
    if (over[d].begin > 0 || over[d].end < shape[d].extent) return false;
  return true;
}

/// What is overwritten as a whole need not be brought first.
void load(const loop_parts& parts, const used_array& use) {
  for (store& part : use.elements->gpus()) {
    if (part.loaded) continue;
    if (use.how == role::out && covers(parts.over, use.elements->shape(), part.own)) {
      part.loaded = true;
    } else {
      use.elements->load(part);
    }
  }
}

void prepare(loop_parts& parts) {
  for (const used_array& use : parts.uses) load(parts, use);
  for (const used_array& use : parts.uses)
    if (!use.elements->current.covers(use.wanted))
      parts.exchanges.emplace_back(*use.elements, use.wanted, parts.copies);
  if (!parts.exchanges.empty()) parts.copies.close();
  for (const used_array& use : parts.uses)
    if (use.how != role::in) use.elements->current = {};
}

/// A call that checks the indices of views while it runs.
struct checked_call {
  void (*entry)(const void*, const item_range&);
  const void* arguments;
};

void run_checked(const void* arguments, const item_range& items) {
  const auto& call = *static_cast<const checked_call*>(arguments);
  const checked_indices checked;
  call.entry(call.arguments, items);
}

bound even_share(const bound& of, int unit, int n_units) {
  const std::vector<std::int64_t> cuts = even_cuts(of.size(), n_units);
  const auto u = static_cast<std::size_t>(unit);
  return {of.begin + cuts[u], of.begin + cuts[u + 1]};
}

}  // namespace

void run_on_cpus(kernel_call call, bool checks) {
  const checked_call checked{call.host_entry, call.arguments};
  if (checks) {
    call.host_entry = &run_checked;
    call.arguments = &checked;
  }
  run_on_calling_unit(call);
}

bound loop_parts::share_of(int unit) const {
  const int n_gpus = static_cast<int>(context.gpus.size());
  const int first = who.cpus ? 0 : context.n_cpu_units;
  const int n = (who.cpus ? context.n_cpu_units : 0) + (who.gpus ? n_gpus : 0);
  if (takes_part(unit)) return even_share(over[0], unit - first, n);
  const std::int64_t at = unit < first ? over[0].begin : over[0].end;
  return {at, at};
}

bound loop_parts::rows_of(int unit) const {
  if (leader == nullptr) return share_of(unit);
  if (leader->shape().distributed) return common(over[0], leader->shape().rows_of(unit));
  return unit < context.n_cpu_units ? even_share(over[0], unit, context.n_cpu_units) : over[0];
}

any_box loop_parts::part_of(int unit) const {
  any_box part = over;
  part[0] = rows_of(unit);
  return part;
}

bool loop_part::is_on_gpu() const { return unit_ >= of_.context.n_cpu_units; }

bool loop_part::is_counted() const {
  if (!of_.is_replicated()) return true;
  return is_on_gpu() ? of_.context.n_cpu_units == 0 && unit_ == 0 : true;
}

placed_view loop_part::view(std::size_t use) const {
  const used_array& of = of_.uses[use];
  const layout& shape = of.elements->shape();
  const store& in = of.elements->of_unit(unit_);
  placed_view made;
  std::int64_t elements = 0;
  for (int d = 0; d < 4; ++d) {
    const dimension& dim = shape[d];
    bound range = d == 0 ? shape.rows_of(unit_) : bound{0, dim.extent};
    if (of.has_halo && d == 0) range = {range.begin - of.low, range.end + of.high};
    if (of.has_halo && d > 0) range = {-dim.pad_low(), dim.extent + dim.pad_high()};
    range = common(range, {-dim.pad_low(), dim.extent + dim.pad_high()});
    made.begins[d] = range.begin;
    made.extents[d] = range.size();
    made.strides[d] = shape.stride(d);
    elements += (range.begin - (d == 0 ? in.room.begin : -dim.pad_low())) * made.strides[d];
  }
  if (in.first != nullptr) made.first = in.first + elements * static_cast<std::int64_t>(shape.element);
  return made;
}

loop_part::unit_facts loop_part::unit_of_part() const {
  if (const gpu_unit* gpu = of_.context.gpu_of(unit_)) return {1, gpu->dev, gpu->stream};
  return {of_.context.rt().units().shape().cpus_per_unit, nullptr, {}};
}

void loop_part::run(const kernel_call& call) const {
  if (!is_on_gpu()) return run_on_cpus(call, of_.context.checks);
  const gpu_unit& gpu = *of_.context.gpu_of(unit_);
  gpu.dev->launch(gpu.stream, call);
}

void* loop_part::scratch(std::size_t bytes) const {
  if (of_.recorded != nullptr) return of_.recorded->scratch(*of_.context.gpu_of(unit_), bytes);
  return of_.context.scratch(static_cast<std::size_t>(unit_ - of_.context.n_cpu_units), bytes);
}

void loop_part::copy_to_host(void* to, const void* from, std::size_t bytes) const {
  if (of_.recorded != nullptr && is_on_gpu())
    return of_.recorded->copy_to_host_at_end(*of_.context.gpu_of(unit_), to, from, bytes);
  queue_copy(of_.context.gpu_of(unit_), nullptr, {.to = to, .from = from, .bytes = bytes});
}

void loop_part::copy_from_host(void* to, const void* from, std::size_t bytes) const {
  queue_copy(nullptr, of_.context.gpu_of(unit_), {.to = to, .from = from, .bytes = bytes});
}

loop::loop(runtime& rt, const char* name, const any_box& over, std::span<const array_use> uses,
           taking_part who) {
  refuse_in_region("for_each");
  const std::shared_ptr<array_context> context = array_context::of(rt);
  parts_ = std::unique_ptr<loop_parts>(new loop_parts{.keeps = context,
                                                      .context = *context,
                                                      .name = name,
                                                      .over = over,
                                                      .uses = {},
                                                      .who = who,
                                                      .copies = ordered_copies{*context}});
  parts_->guard = std::unique_lock{context->lock};
  if (!is_recording(rt)) balance_before_loop(uses, *context);
  for (const array_use& use : uses) parts_->uses.push_back(use_of(*context, name, use));
  check_uses(*parts_);
}

loop::~loop() = default;

std::vector<std::int64_t> loop::cuts() const {
  const loop_parts& parts = *parts_;
  const bool on_host_alone = parts.is_replicated();
  const int n = on_host_alone ? parts.context.n_cpu_units : parts.context.n_units();
  std::vector<std::int64_t> cuts{parts.over[0].begin};
  for (int unit = 0; unit < n; ++unit) cuts.push_back(std::max(cuts.back(), parts.rows_of(unit).end));
  return cuts;
}

void loop_parts::run_gpus(const part_body& body) {
  for (const gpu_unit& gpu : context.gpus) run_unit(gpu.unit, body);
}

void loop_parts::run_unit(int unit, const part_body& body) {
  const loop_part part{*this, unit, part_of(unit)};
  if (!part.over().empty()) body(part);
}

/// Else nobody need be woken.
bool loop_parts::any_on_cpus() const {
  for (int unit = 0; unit < context.n_cpu_units; ++unit)
    if (rows_of(unit).size() > 0) return true;
  return false;
}

void loop_parts::run_cpus(const part_body& body) {
  copies.wait_on_host();
  for (const halo_exchange& each : exchanges) each.finish_on_host();
  if (!any_on_cpus()) return;
  context.rt().each_unit([&](unit_id unit) {
    if (unit < context.n_cpu_units) run_unit(unit, body);
  });
}

void loop::run(const part_body& body, bool waits) {
  loop_parts& parts = *parts_;
  if (parts.over.empty()) return;
  try {
    loop_timer timer{parts};
    prepare(parts);
    const part_body& timed = timer.around(body);
    parts.run_gpus(timed);
    parts.run_cpus(timed);
    if (waits || parts.context.checks || timer.is_on()) wait_for(parts.context.gpus);
    timer.finish();
  } catch (...) {
    drain(parts.context.gpus);  // what is queued uses memory of the caller
    for (const used_array& use : parts.uses) use.elements->current = {};
    throw;
  }
}

}  // namespace yoke::detail
