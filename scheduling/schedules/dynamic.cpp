#include "../src/dealing/resident_tasks.hpp"
#include "../src/dealing/tickets.hpp"
#include "../src/kinds.hpp"
#include "../src/speeds/batch_size.hpp"

#include <fmt/format.h>
#include <optional>

namespace yoke::scheduling {

namespace {

/// Exactly OpenMP's schedule(dynamic, chunk) among CPU CUs. Source: DYNAMIC without memorizing, González &
/// Morancho.
class dynamic_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "dynamic";

  dynamic_schedule(batch_size size, const workload& work, std::span<const unit> units)
      : size_{std::move(size)}, tasks_{all_tasks(work.n_tasks)}, tickets_{work.n_tasks} {
    if (resident_tasks::are_needed(work, units)) resident_.emplace(work, units, name);
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    if (resident_) return resident_->take(unit, pass, [&](int remaining) { return size_(unit, remaining); });
    return tickets_.take(pass, [&](int remaining) { return size_(unit, remaining); }).of(tasks_);
  }
  void done(unit_id unit, pass_id, std::span<const task_id>, seconds) override {
    if (resident_) resident_->done(unit);
  }
  std::vector<unit_id> homes() const override {
    return resident_ ? resident_->homes() : std::vector<unit_id>{};
  }
  std::string describe() const override {
    return fmt::format("{}: {} tasks, {}, anew in every pass{}", name, tasks_.size(), size_.describe(),
                       resident_ ? while_memory_lasts : "");
  }

 private:
  batch_size size_;
  std::vector<task_id> tasks_;
  tickets tickets_;
  std::optional<resident_tasks> resident_;  ///< where memory is short
};

}  // namespace

extern const schedule_kind dynamic_kind;
constinit const schedule_kind dynamic_kind{
    .info = {.name = dynamic_schedule::name,
             .options = chunk_options,
             .rule = "the next chunk of consecutive tasks to whoever asks, anew in every pass"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<dynamic_schedule>(batch_size{options, units}, work, units);
    }};

}  // namespace yoke::scheduling
