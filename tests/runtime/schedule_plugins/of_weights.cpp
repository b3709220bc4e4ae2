// Two schedules: all tasks to the last CU in batches of `chunk`, and one that its factory does not make.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <yoke/schedule_plugin.hpp>

namespace {

class all_to_last final : public yoke::schedule {
 public:
  all_to_last(int chunk, const yoke::workload& work, int n_units) : chunk_{chunk}, last_{n_units - 1} {
    for (int task = 0; task < work.n_tasks; ++task) tasks_.emplace_back(task);
  }
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    if (unit != last_) return {};
    if (std::exchange(pass_, pass) != pass) given_ = 0;
    const std::size_t size = std::min(static_cast<std::size_t>(chunk_), tasks_.size() - given_);
    return std::span{tasks_}.subspan(std::exchange(given_, given_ + size), size);
  }
  std::string describe() const override { return "all-to-last, chunk=" + std::to_string(chunk_); }

 private:
  int chunk_;
  int last_;
  std::vector<yoke::task_id> tasks_;
  yoke::pass_id pass_ = -1;
  std::size_t given_ = 0;
};

YOKE_SCHEDULE_PLUGIN({.name = "all-to-last", .options = "chunk=k", .rule = "everything to the last CU"},
                     [](const yoke::scheduling::schedule_options& options, const yoke::workload& work,
                        std::span<const yoke::unit> units) {
                       const int chunk = options.count("chunk", 1);
                       if (chunk > 100) options.refuse("a chunk of over 100 is too much");
                       return std::make_unique<all_to_last>(chunk, work, static_cast<int>(units.size()));
                     });
YOKE_SCHEDULE_PLUGIN("none", [](const auto&, const auto&, auto) -> std::unique_ptr<yoke::schedule> {
  return nullptr;
});

}  // namespace
