#include "device_stepper.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <thread>

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Enough for two parities of the batches of a few passes.
constexpr std::size_t n_plans = 8;
/// From here on a settled map that comes in ever different batches no longer gets mirrors of its own.
constexpr std::size_t n_plans_with_mirrors = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

device_stepper::device_stepper(const stepping& shared, const yoke::compute_unit& unit)
    : shared_{shared},
      unit_{unit},
      solver_{shared.what.make_device_solver()},
      work_{*unit.dev, device_buffer::kind::device},
      sums_{*unit.dev, device_buffer::kind::device} {
  shared_.faces.use_device(unit.space);
}

device_stepper::~device_stepper() {
  try {
    unit_.dev->synchronize(unit_.stream);  // work of a failed step may still use the plans
  } catch (const yoke::error&) {           // reported where it happened
  }
}

void device_stepper::run(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  const batch_parts& parts = parts_of(batch);
  batch_plan* const inner = parts.inner.empty() ? nullptr : &start_inner(parts, step, account);
  const batch_plan& border = run_border(parts.border, step, account);
  if (inner != nullptr) finish(*inner, parts.inner, step, account);
  finish(border, parts.border, step, account);
}

const device_stepper::batch_parts& device_stepper::parts_of(std::span<const yoke::task_id> batch) {
  const long epoch = shared_.faces.epoch();
  if (parts_.epoch == epoch && std::ranges::equal(batch, parts_.batch)) return parts_;
  parts_ = {{batch.begin(), batch.end()}, epoch, {}, {}};
  for (const yoke::task_id zone : batch) (is_inner(zone) ? parts_.inner : parts_.border).push_back(zone);
  if (parts_.border.empty()) parts_.inner.swap(parts_.border);
  return parts_;
}

bool device_stepper::is_inner(int zone) const {
  return shared_.faces.has_plan() && std::ranges::all_of(all_sides, [&](side at) {
           return shared_.faces.reader(face_of(zone, at)) == unit_.id;
         });
}

/// Its zones wait for nobody else; while they run, so does the time of the batch.
batch_plan& device_stepper::start_inner(const batch_parts& parts, int step, unit_account& account) {
  wait(parts.inner, step, account);
  bring(parts.inner, account);
  reserve_work(parts.border);  // both parts use it, one after the other: it must not move in between
  batch_plan& plan = prepare(parts.inner, step, account);
  exchange_on_host(step, account, [&] { plan.gather(); });  // initial faces are in host memory, all of them
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  enqueue_or_replay(plan, account);
  const yoke::event done{*unit_.dev, unit_.stream};
  while (!are_ready(parts.border, step) && !shared_.order.is_stopped() && !done.done())
    std::this_thread::yield();
  return plan;
}

batch_plan& device_stepper::run_border(std::span<const yoke::task_id> zones, int step,
                                       unit_account& account) {
  wait(zones, step, account);
  bring(zones, account);
  batch_plan& plan = prepare(zones, step, account);
  exchange_on_host(step, account, [&] { plan.gather(); });
  const stopwatch watch{shared_.trace, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
  enqueue_or_replay(plan, account);
  unit_.dev->synchronize(unit_.stream);
  return plan;
}

void device_stepper::finish(const batch_plan& plan, std::span<const yoke::task_id> zones, int step,
                            unit_account& account) {
  exchange_on_host(step, account, [&] { plan.deliver(shared_, step + 1); });
  account.bytes_in += plan.bytes_in();
  account.bytes_out += plan.bytes_out();
  for (const int zone : zones) {
    account.count(shared_.zones.shape(zone));
    shared_.order.publish(zone, step);
  }
}

/// While the map is open every face goes through host memory one by one. A settled map needs next to nothing
/// of that, so it must not count as the speed of the device.
template <class Work>
void device_stepper::exchange_on_host(int step, unit_account& account, const Work& work) {
  yoke::ticks& sum = account.exchange[static_cast<std::size_t>(step)];
  if (!shared_.faces.has_plan()) return off_the_clock(shared_, unit_.id, "exchange", sum, work);
  const stopwatch watch{shared_.trace, unit_.id, "exchange", sum};
  work();
}

bool device_stepper::are_ready(std::span<const yoke::task_id> zones, int step) const {
  return std::ranges::all_of(zones, [&](int zone) { return is_ready(shared_, zone, step); });
}

void device_stepper::wait(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  if (!are_ready(batch, step)) wait_for(shared_, unit_.id, batch, step, account);
  if (shared_.order.is_stopped()) throw stopped{};
}

void device_stepper::bring(std::span<const yoke::task_id> batch, unit_account& account) {
  const auto is_here = [&](int zone) { return shared_.zones.space_of(zone) == unit_.space; };
  if (std::all_of(batch.begin(), batch.end(), is_here)) return;
  check_memory(batch);
  for (const int zone : batch) {
    if (is_here(zone)) continue;
    yoke::ticks moving = 0;
    const stopwatch watch{shared_.trace, unit_.id, "migrate", moving};
    account.migrations += shared_.zones.bring(zone, unit_.space);
  }
}

std::vector<std::size_t> device_stepper::work_bytes(std::span<const yoke::task_id> batch) const {
  std::vector<std::size_t> bytes;
  for (const int zone : batch) bytes.push_back(aligned(solver_->scratch_bytes(shared_.zones.shape(zone))));
  return bytes;
}

/// Bytes that the batch needs beyond what it has on the device.
std::size_t device_stepper::missing(std::span<const yoke::task_id> batch) const {
  std::size_t bytes = 0;
  for (const int zone : batch) bytes += shared_.zones.bytes_missing(zone, unit_.space);
  const std::vector<std::size_t> work = work_bytes(batch);
  const std::size_t wanted = std::accumulate(work.begin(), work.end(), std::size_t{0});
  return bytes + (wanted > work_.size() ? wanted - work_.size() : 0);
}

/// Says what does not fit before any zone of the batch has moved.
void device_stepper::check_memory(std::span<const yoke::task_id> batch) const {
  if (missing(batch) <= unit_.dev->memory_free()) return;
  shared_.zones.free_left_behind(unit_.space);
  const std::size_t wanted = missing(batch);
  const std::size_t free = unit_.dev->memory_free();
  if (wanted <= free) return;
  throw yoke::out_of_memory{
      fmt::format(
          "{}: the schedule gives {} zones at once to CU {}; they need {} bytes there and {} of {} are "
          "free; give the device fewer zones, as with --schedule static-hybrid,pcf=…, or use one with more "
          "memory ({})",
          unit_.dev->info().name, batch.size(), static_cast<int>(unit_.id), wanted, free,
          unit_.dev->info().memory, shared_.loop != nullptr ? shared_.loop->plan().describe() : ""),
      wanted, free};
}

void device_stepper::rehearse(yoke::task_id zone, unit_account& account) {
  const std::span<const yoke::task_id> batch{&zone, 1};
  bring(batch, account);
  enqueue(plan_for(batch, 0));
  unit_.dev->synchronize(unit_.stream);
  if (shared_.what.has_residual()) residual_row_sums(zone);
}

std::vector<double> device_stepper::residual_row_sums(yoke::task_id zone) {
  const zone_shape& shape = shared_.zones.shape(zone);
  std::vector<double> sums(static_cast<std::size_t>(shape.ny - 2) * (shape.nz - 2) * n_components);
  const std::size_t bytes = sums.size() * sizeof(double);
  sums_.reserve(bytes, "the sums of a residual");
  device_zone fields = shared_.zones.on_device(zone, unit_.space);
  fields.work = yoke::device_ptr<double>{reinterpret_cast<double*>(sums_.data())};
  solver_->sum_residual(*unit_.dev, unit_.stream, fields, fields.work);
  unit_.dev->copy(unit_.stream, sums.data(), sums_.data(), bytes, yoke::copy_kind::device_to_host);
  unit_.dev->synchronize(unit_.stream);
  return sums;
}

void device_stepper::reserve_work(std::span<const yoke::task_id> batch) {
  const std::vector<std::size_t> work = work_bytes(batch);
  const std::size_t total = std::accumulate(work.begin(), work.end(), std::size_t{0});
  if (work_.reserve(total, "the work memory of a batch")) ++work_generation_;
}

batch_plan& device_stepper::plan_for(std::span<const yoke::task_id> batch, int step) {
  ++uses_;
  for (const auto& plan : plans_) {
    if (!plan->fits(shared_, batch, step, work_generation_)) continue;
    plan->last_use = uses_;
    return *plan;
  }
  reserve_work(batch);
  batch_plan& plan = free_plan();
  const bool keep_mirror = shared_.faces.has_plan() && plans_.size() < n_plans_with_mirrors;
  plan.lay_out(shared_, batch, step, work_.data(), work_generation_, work_bytes(batch), keep_mirror);
  plan.last_use = uses_;
  return plan;
}

/// The plan that was not used for longest, among those whose faces nobody reads, or a new one.
batch_plan& device_stepper::free_plan() {
  batch_plan* oldest = nullptr;
  for (const auto& plan : plans_) {
    if (!plan->is_free(shared_)) continue;
    if (oldest == nullptr || plan->last_use < oldest->last_use) oldest = plan.get();
  }
  if (oldest != nullptr && plans_.size() >= n_plans) return *oldest;
  plans_.push_back(std::make_unique<batch_plan>(unit_));
  return *plans_.back();
}

void device_stepper::enqueue(batch_plan& plan) {
  plan.enqueue_in();
  solver_->advance(*unit_.dev, unit_.stream, plan.zones(), plan.shapes());
  plan.enqueue_out();
}

/// Everything that a later step with the same batch need not do again: the plan and, when it comes for the
/// second time, its graph.
batch_plan& device_stepper::prepare(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  batch_plan* plan = nullptr;
  off_the_clock(shared_, unit_.id, "lay out", account.preparing, [&] {
    plan = &plan_for(batch, step);
    if (shared_.graphs && plan->uses++ > 0 && plan->graph.native == nullptr) capture(*plan);
  });
  return *plan;
}

void device_stepper::capture(batch_plan& plan) {
  unit_.dev->begin_capture(unit_.stream);
  try {
    enqueue(plan);
  } catch (...) {
    unit_.dev->destroy_graph(unit_.dev->end_capture(unit_.stream));
    throw;
  }
  plan.graph = unit_.dev->end_capture(unit_.stream);
}

void device_stepper::enqueue_or_replay(batch_plan& plan, unit_account& account) {
  if (plan.graph.native == nullptr) return enqueue(plan);
  unit_.dev->replay(plan.graph, unit_.stream);
  ++account.replays;
}

}  // namespace npb
