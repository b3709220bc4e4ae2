#include "batch_plans.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Enough for two parities of the batches of a few passes.
constexpr std::size_t n_plans = 8;
/// The same where the map is known and comes in many batches.
constexpr std::size_t n_plans_of_map = 64;

/// What device memory is divided into.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

std::size_t sum(const std::vector<std::size_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

}  // namespace

batch_plans::batch_plans(const stepping& shared, const yoke::compute_unit& unit, const device_solver& solver)
    : shared_{shared}, unit_{unit}, solver_{solver}, work_{*unit.dev, device_buffer::kind::device} {}

std::vector<std::size_t> batch_plans::work_bytes(std::span<const yoke::task_id> batch) const {
  std::vector<std::size_t> bytes;
  for (const int zone : batch) bytes.push_back(aligned(solver_.scratch_bytes(shared_.zones.shape(zone))));
  return bytes;
}

std::byte* batch_plans::work_behind(std::span<const yoke::task_id> batch) const {
  return work_.data() + sum(work_bytes(batch));
}

std::size_t batch_plans::work_missing(std::span<const yoke::task_id> batch) const {
  const std::size_t wanted = sum(work_bytes(batch));
  return wanted > work_.size() ? wanted - work_.size() : 0;
}

void batch_plans::reserve_work(std::span<const yoke::task_id> batch) {
  const std::size_t total = sum(work_bytes(batch));
  if (total <= work_.size()) return;
  ++work_generation_;  // also when there is no room: the old memory is gone then
  or_without_plans([&] { work_.reserve(total, "the work memory of a batch"); });
}

/// Those kept for batches that may come again are dropped where there is no room otherwise, but none that is
/// under way.
template <class Work>
void batch_plans::or_without_plans(const Work& work) {
  std::erase_if(plans_, [&](const auto& plan) { return !plan->is_of_map(shared_); });  // of no use any more
  try {
    work();
  } catch (const yoke::out_of_memory&) {
    std::erase_if(plans_, [](const auto& plan) { return plan->under_way == moment{}; });
    work();
  }
}

void batch_plans::finish(moment at) {
  for (const auto& plan : plans_)
    if (plan->under_way == at) plan->under_way = {};
}

void batch_plans::finish_all() {
  for (const auto& plan : plans_) plan->under_way = {};
}

batch_plan* batch_plans::find(std::span<const yoke::task_id> batch, moment now, bool of_share) const {
  for (const auto& plan : plans_)
    if (plan->fits(shared_, batch, now, work_generation_, of_share)) return plan.get();
  return nullptr;
}

batch_plan& batch_plans::get(std::span<const yoke::task_id> batch, moment now, bool of_share,
                             std::span<const yoke::task_id> behind) {
  ++uses_;
  if (batch_plan* const plan = find(batch, now, of_share)) {
    plan->last_use = uses_;
    return *plan;
  }
  if (behind.empty()) reserve_work(batch);
  batch_plan* plan = nullptr;
  or_without_plans([&] { plan = &lay_out(batch, now, of_share, work_behind(behind)); });
  return *plan;
}

batch_plan& batch_plans::lay_out(std::span<const yoke::task_id> batch, moment now, bool of_share,
                                 std::byte* work) {
  batch_plan& plan = free_plan();
  plan.lay_out(shared_, batch, now, work, work_generation_, work_bytes(batch), of_share);
  plan.last_use = uses_;
  return plan;
}

/// The plan that was not used for longest; a new one while there are few.
batch_plan& batch_plans::free_plan() {
  if (plans_.size() >= (shared_.faces.routes()->are_known() ? n_plans_of_map : n_plans))
    return **std::ranges::min_element(plans_, {}, [](const auto& plan) { return plan->last_use; });
  return *plans_.emplace_back(std::make_unique<batch_plan>(unit_));
}

void batch_plans::give_back() {
  plans_.clear();
  ++work_generation_;
  work_ = device_buffer{*unit_.dev, device_buffer::kind::device};
}

}  // namespace npb
