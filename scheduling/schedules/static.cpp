#include "../src/dealing/replay.hpp"
#include "../src/kinds.hpp"

#include <fmt/format.h>

namespace yoke::scheduling {

namespace {

/// Source: STATIC, González & Morancho; exactly OpenMP's schedule(static).
class static_schedule final : public schedule {
 public:
  static_schedule(int n_tasks, std::span<const unit> units)
      : n_tasks_{n_tasks}, replay_{even_split(n_tasks, static_cast<int>(units.size())), units} {}

  std::span<const task_id> next(unit_id unit, pass_id pass) override { return replay_.next(unit, pass); }
  pass_plan plan_of(pass_id) const override {
    return {.map = to_map(replay_.shares(), n_tasks_), .until = pass_plan::for_good};
  }
  std::string describe() const override {
    return fmt::format("static: {} tasks, even and consecutive over {} CUs", n_tasks_,
                       replay_.shares().size());
  }

 private:
  int n_tasks_;
  replay replay_;
};

}  // namespace

extern const schedule_kind static_kind;
constinit const schedule_kind static_kind{
    .info = {.name = "static",
             .options = "",
             .rule = "consecutive, even shares; the first n mod CUs units get one task more"},
    .make = [](const schedule_options&, const workload& work, std::span<const unit> units)
        -> std::unique_ptr<schedule> { return std::make_unique<static_schedule>(work.n_tasks, units); }};

}  // namespace yoke::scheduling
