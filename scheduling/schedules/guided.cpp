#include "../src/dealing/resident_tasks.hpp"
#include "../src/dealing/tickets.hpp"
#include "../src/kinds.hpp"
#include "../src/speeds/batch_size.hpp"

#include <fmt/format.h>
#include <optional>

namespace yoke::scheduling {

namespace {

/// As libomp's schedule(guided, chunk) among CPU CUs (kmp_sch_guided_iterative_chunked): floor(remaining /
/// (2·CUs)) tasks while at least 2·CUs·(chunk+1) remain, then chunk; everything at once for a single CU.
class guided_schedule final : public schedule {
 public:
  static constexpr std::string_view name = "guided";

  guided_schedule(batch_size size, const workload& work, std::span<const unit> units)
      : size_{std::move(size)},
        n_units_{static_cast<int>(units.size())},
        tasks_{all_tasks(work.n_tasks)},
        tickets_{work.n_tasks} {
    if (resident_tasks::are_needed(work, units)) resident_.emplace(work, units, name);
    for (const unit& u : units)
      shrinks_.push_back(u.kind == unit_kind::cpu || size_.gpu_chunk() == size_.chunk());
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    const auto size_of = [&](int remaining) {
      return shrinks_[index(unit)] ? as_libomp(remaining) : size_(unit, remaining);
    };
    if (resident_) return resident_->take(unit, pass, size_of);
    return tickets_.take(pass, size_of).of(tasks_);
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
  int as_libomp(int remaining) const {
    if (n_units_ == 1) return remaining;
    const std::int64_t least = std::int64_t{2} * n_units_ * (std::int64_t{size_.chunk()} + 1);
    if (remaining < least) return size_.chunk();
    return static_cast<int>(remaining * (0.5 / n_units_));  // in doubles, as libomp rounds
  }

  batch_size size_;
  int n_units_;
  std::vector<char> shrinks_;  ///< of each unit: follows OpenMP's rule
  std::vector<task_id> tasks_;
  tickets tickets_;
  std::optional<resident_tasks> resident_;  ///< where memory is short
};

}  // namespace

extern const schedule_kind guided_kind;
constinit const schedule_kind guided_kind{
    .info = {.name = guided_schedule::name,
             .options = chunk_options,
             .rule = "shrinking batches of consecutive tasks to whoever asks, anew in every pass"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<guided_schedule>(batch_size{options, units}, work, units);
    }};

}  // namespace yoke::scheduling
