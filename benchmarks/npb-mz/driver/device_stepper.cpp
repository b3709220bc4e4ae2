#include "device_stepper.hpp"

#include <algorithm>
#include <numeric>

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
      work_{*unit.dev, device_buffer::kind::device} {
  shared_.faces.use_device(unit.space);
}

device_stepper::~device_stepper() {
  try {
    unit_.dev->synchronize(unit_.stream);  // work of a failed step may still use the plans
  } catch (const yoke::error&) {           // reported where it happened
  }
}

void device_stepper::run(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  wait(batch, step, account);
  bring(batch, account);
  batch_plan& plan = plan_for(batch, step);
  {
    const stopwatch watch{shared_, unit_.id, "exchange", account.exchange[static_cast<std::size_t>(step)]};
    plan.gather();
  }
  {
    const stopwatch watch{shared_, unit_.id, "advance", account.compute[static_cast<std::size_t>(step)]};
    enqueue_or_replay(plan, account);
    unit_.dev->synchronize(unit_.stream);
  }
  {
    const stopwatch watch{shared_, unit_.id, "exchange", account.exchange[static_cast<std::size_t>(step)]};
    plan.deliver(shared_, step + 1);
  }
  account.bytes_in += plan.bytes_in();
  account.bytes_out += plan.bytes_out();
  for (const int zone : batch) {
    account.count(shared_.zones.shape(zone));
    shared_.order.publish(zone, step);
  }
}

void device_stepper::wait(std::span<const yoke::task_id> batch, int step, unit_account& account) {
  const auto ready = [&](int zone) { return is_ready(shared_, zone, step); };
  if (std::all_of(batch.begin(), batch.end(), ready)) {
    if (shared_.order.is_stopped()) throw stopped{};
    return;
  }
  const stopwatch watch{shared_, unit_.id, "wait", account.waiting};
  for (const int zone : batch) wait_until_ready(shared_, zone, step);
}

void device_stepper::bring(std::span<const yoke::task_id> batch, unit_account& account) {
  for (const int zone : batch) {
    if (shared_.zones.space_of(zone) == unit_.space) continue;
    yoke::ticks moving = 0;
    const stopwatch watch{shared_, unit_.id, "migrate", moving};
    account.migrations += shared_.zones.bring(zone, unit_.space);
  }
}

batch_plan& device_stepper::plan_for(std::span<const yoke::task_id> batch, int step) {
  ++uses_;
  for (const auto& plan : plans_) {
    if (!plan->fits(shared_, batch, step, work_generation_)) continue;
    plan->last_use = uses_;
    return *plan;
  }
  std::vector<std::size_t> work_bytes;
  for (const int zone : batch)
    work_bytes.push_back(aligned(solver_->scratch_bytes(shared_.zones.shape(zone))));
  const std::size_t total = std::accumulate(work_bytes.begin(), work_bytes.end(), std::size_t{0});
  if (work_.reserve(total, "the work memory of a batch")) ++work_generation_;
  batch_plan& plan = free_plan();
  const bool keep_mirror = shared_.faces.has_plan() && plans_.size() < n_plans_with_mirrors;
  plan.lay_out(shared_, batch, step, work_.data(), work_generation_, work_bytes, keep_mirror);
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

/// The first time directly, the second time captured, then replayed.
void device_stepper::enqueue_or_replay(batch_plan& plan, unit_account& account) {
  if (!shared_.graphs || plan.uses++ == 0) return enqueue(plan);
  if (plan.graph.native == nullptr) {
    unit_.dev->begin_capture(unit_.stream);
    try {
      enqueue(plan);
    } catch (...) {
      unit_.dev->destroy_graph(unit_.dev->end_capture(unit_.stream));
      throw;
    }
    plan.graph = unit_.dev->end_capture(unit_.stream);
  }
  unit_.dev->replay(plan.graph, unit_.stream);
  ++account.replays;
}

}  // namespace npb
