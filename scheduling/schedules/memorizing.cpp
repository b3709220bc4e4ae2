#include "../src/dealing/resident_tasks.hpp"
#include "../src/dealing/tickets.hpp"
#include "../src/kinds.hpp"
#include "../src/maps/hybrid_split.hpp"
#include "../src/speeds/batch_size.hpp"

#include <atomic>
#include <fmt/format.h>
#include <optional>

namespace yoke::scheduling {

namespace {

/// Dynamic in the first pass; every unit then replays its own tasks.
/// Source: DYNAMIC, González & Morancho.
///
/// A unit has its whole list as soon as next(unit, 0) was empty, so it replays while others are still in
/// pass 0, and touches nothing that is shared. Its list simply grows until the tasks have run out: should the
/// first pass be abandoned (an exception in a task), the next one replays what was handed out and hands out
/// the rest.
class memorizing_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "memorizing";

  memorizing_schedule(batch_size size, const workload& work, std::span<const unit> units)
      : size_{std::move(size)}, n_tasks_{work.n_tasks}, tickets_{work.n_tasks}, memories_(units.size()) {
    if (resident_tasks::are_needed(work, units)) resident_.emplace(work, units, name);
    for (std::size_t u = 0; u < units.size(); ++u)
      memories_[u].batch = takes_whole_shares(units[u]) ? n_tasks_ : size_.chunk();
    if (is_hybrid(units))
      advice_ = "; who asked first keeps what it took, whatever its speed: auto and pool go by speeds";
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    memory& own = memories_[index(unit)];
    if (own.pass != pass) {
      own.pass = pass;
      own.position = 0;
    }
    if (own.position == own.tasks.size() && !own.complete) record(own, unit);
    return replay(own);
  }
  void done(unit_id unit, pass_id, std::span<const task_id>, seconds) override {
    if (resident_ && !memories_[index(unit)].complete) resident_->done(unit);
  }
  pass_plan plan_of(pass_id pass) const override;
  std::vector<unit_id> homes() const override {
    return resident_ ? resident_->homes() : std::vector<unit_id>{};
  }
  std::string describe() const override {
    return fmt::format("{}: {} tasks, {} in the first pass{}, {}{}", name, n_tasks_, size_.describe(),
                       resident_ ? while_memory_lasts : "",
                       is_memorized() ? "replayed since" : "not yet memorized", advice_);
  }

 private:
  struct alignas(64) memory {
    std::vector<task_id> tasks;  ///< of one unit; grows until `complete`
    pass_id pass = -1;
    std::size_t position = 0;
    int batch = 1;
    bool complete = false;
    std::atomic<std::size_t> published{0};  ///< tasks that other threads may read
  };

  void record(memory& own, unit_id unit) {
    const std::size_t before = own.tasks.size();
    const auto size_of = [&](int remaining) { return size_(unit, remaining); };
    if (resident_) {
      const std::span<const task_id> taken = resident_->take(unit, 0, size_of);
      own.tasks.insert(own.tasks.end(), taken.begin(), taken.end());
    } else {
      const task_range taken = tickets_.take(0, size_of);
      for (int task = taken.first; task < taken.last; ++task) own.tasks.push_back(task_id{task});
    }
    own.complete = own.tasks.size() == before;
    own.published.store(own.tasks.size(), std::memory_order_release);
  }

  static std::span<const task_id> replay(memory& own) {
    const std::size_t size = std::min(static_cast<std::size_t>(own.batch), own.tasks.size() - own.position);
    own.position += size;
    return std::span{own.tasks}.subspan(own.position - size, size);
  }

  /// Every task has found its unit: no list changes any more.
  bool is_memorized() const {
    std::size_t published = 0;
    for (const memory& m : memories_) published += m.published.load(std::memory_order_acquire);
    return published == static_cast<std::size_t>(n_tasks_);
  }

  batch_size size_;
  int n_tasks_;
  std::string_view advice_;  ///< beside GPUs
  tickets tickets_;
  std::optional<resident_tasks> resident_;  ///< where memory is short
  std::vector<memory> memories_;
};

pass_plan memorizing_schedule::plan_of(pass_id pass) const {
  if (pass < 1 || !is_memorized()) return {};
  std::vector<unit_id> map(static_cast<std::size_t>(n_tasks_));
  for (std::size_t u = 0; u < memories_.size(); ++u)
    for (const task_id task : memories_[u].tasks) map[index(task)] = unit_id{static_cast<int>(u)};
  return {.map = std::move(map), .until = pass_plan::for_good};
}

}  // namespace

extern const schedule_kind memorizing_kind;
constinit const schedule_kind memorizing_kind{
    .info = {.name = memorizing_schedule::name,
             .options = chunk_options,
             .rule = "dynamic in the first pass, replayed from then on without locks"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<memorizing_schedule>(batch_size{options, units}, work, units);
    }};

}  // namespace yoke::scheduling
