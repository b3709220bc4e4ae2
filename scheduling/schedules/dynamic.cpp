#include "../src/batch_size.hpp"
#include "../src/kinds.hpp"
#include "../src/tickets.hpp"

#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// Exactly OpenMP's schedule(dynamic, chunk) among CPU CUs. Source: DYNAMIC without memorizing, González &
/// Morancho.
class dynamic_schedule final : public schedule {
 public:
  dynamic_schedule(batch_size size, int n_tasks)
      : size_{std::move(size)}, tasks_{all_tasks(n_tasks)}, tickets_{n_tasks} {}

  std::span<const task_id> next(unit_id unit, pass_id pass) override {
    const task_range taken = tickets_.take(pass, [&](int remaining) { return size_(unit, remaining); });
    return std::span{tasks_}.subspan(static_cast<std::size_t>(taken.first),
                                     static_cast<std::size_t>(taken.size()));
  }
  std::string describe() const override {
    return fmt::format("dynamic: {} tasks, {}, anew in every pass", tasks_.size(), size_.describe());
  }

 private:
  batch_size size_;
  std::vector<task_id> tasks_;
  tickets tickets_;
};

}  // namespace

extern const schedule_kind dynamic_kind;
constinit const schedule_kind dynamic_kind{
    .info = {.name = "dynamic",
             .options = chunk_options,
             .rule = "the next chunk of consecutive tasks to whoever asks, anew in every pass"},
    .make = [](const schedule_options& options, const workload& work,
               std::span<const unit> units) -> std::unique_ptr<schedule> {
      return std::make_unique<dynamic_schedule>(batch_size{options, units}, work.n_tasks);
    }};

}  // namespace yoke::scheduling
