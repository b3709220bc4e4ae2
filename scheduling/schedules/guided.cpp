#include "../src/batch_size.hpp"
#include "../src/kinds.hpp"
#include "../src/tickets.hpp"

#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// As libomp's schedule(guided, chunk) among CPU CUs (kmp_sch_guided_iterative_chunked): floor(remaining /
/// (2·CUs)) tasks while at least 2·CUs·(chunk+1) remain, then chunk; everything at once for a single CU.
class guided_schedule final : public schedule {
 public:
  guided_schedule(batch_size size, int n_tasks, std::span<const unit> units)
      : size_{std::move(size)},
        n_units_{static_cast<int>(units.size())},
        tasks_{all_tasks(n_tasks)},
        tickets_{n_tasks} {
    for (const unit& u : units)
      shrinks_.push_back(u.kind == unit_kind::cpu || size_.gpu_chunk() == size_.chunk());
  }

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    const task_range taken = tickets_.take(pass, [&](int remaining) {
      return shrinks_[index(unit)] ? as_libomp(remaining) : size_(unit, remaining);
    });
    return std::span{tasks_}.subspan(static_cast<std::size_t>(taken.first),
                                     static_cast<std::size_t>(taken.size()));
  }
  std::string describe() const override {
    return fmt::format("guided: {} tasks, {}, anew in every pass", tasks_.size(), size_.describe());
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
};

}  // namespace

extern const schedule_kind guided_kind;
constinit const schedule_kind guided_kind{
    .info = {.name = "guided",
             .options = chunk_options,
             .rule = "shrinking batches of consecutive tasks to whoever asks, anew in every pass"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<guided_schedule>(batch_size{options, units}, work.n_tasks, units);
    }};

}  // namespace yoke::scheduling
