/// Loops of the program's own over placed pieces, under all schedules.
#include "placed_kernels.hpp"
#include "rooms.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <yoke/error.hpp>

namespace attack {

namespace {

constexpr std::array schedules{"static",     "dynamic",  "guided",    "cost",          "pool",
                               "memorizing", "adaptive", "partition", "static-hybrid", "auto"};

class loop_room final : public room {
 public:
  loop_room(yoke::runtime& rt, dice& d, journal& tells)
      : rt_{rt}, dice_{d}, tells_{tells}, n_tasks_{static_cast<int>(d.between(1, d.one_in(4) ? 40 : 9))} {
    tells_.add(fmt::format("room: loops over {} pieces", n_tasks_));
    const auto n = static_cast<std::size_t>(dice_.between(1, 200));
    pieces_.reserve(static_cast<std::size_t>(n_tasks_));
    model_.assign(static_cast<std::size_t>(n_tasks_), 0);
    for (int task = 0; task < n_tasks_; ++task) {
      pieces_.emplace_back(rt_, n);
      std::ranges::fill(pieces_.back().host(), 0);
    }
    ran_ = std::vector<std::atomic<int>>(static_cast<std::size_t>(n_tasks_));
    make_loop();
  }

  void step(bool may_throw) override {
    switch (dice_.upto(may_throw ? 8 : 6)) {
      case 0:
        tells_.add("make the loop anew");
        return make_loop();
      case 1:
        return compare();
      case 2:
        return by_hand();
      case 7:
      case 8:
        return run(true);
      default:
        return run(false);
    }
  }

  void compare() override {
    tells_.add("read all pieces on the host");
    for (std::size_t task = 0; task < pieces_.size(); ++task)
      for (const value each : std::as_const(pieces_[task]).host())
        if (each != model_[task])
          throw difference{fmt::format("piece {}: {}, in the model {}", task, each, model_[task])};
  }

 private:
  void make_loop() {
    yoke::workload work{.n_tasks = n_tasks_};
    if (dice_.one_in(2))
      for (int task = 0; task < n_tasks_; ++task)
        work.weights.push_back(static_cast<double>(dice_.between(1, 9)));
    if (dice_.one_in(3)) work.passes = 4;
    schedule_ = schedules[static_cast<std::size_t>(dice_.upto(std::ssize(schedules) - 1))];
    tells_.add(fmt::format("a loop by {}{}", schedule_, work.weights.empty() ? "" : " with weights"));
    loop_ = rt_.make_loop(schedule_, std::move(work));
    is_stopped_ = false;
  }

  static value next_of(value v) { return scaled(v, 3, 1); }

  /// One task of one pass: behind the pass before, which another CU may have. A piece is written in order by
  /// itself, for kernels know it as a placed object.
  void run_task(yoke::task_id task, int before) {
    std::atomic<int>& mine = ran_[static_cast<std::size_t>(int{task})];
    while (mine.load(std::memory_order_acquire) < before) {
      if (loop_->is_stopped()) return;
      std::this_thread::yield();
    }
    scale_here(pieces_[static_cast<std::size_t>(int{task})], 3, 1);
    mine.fetch_add(1, std::memory_order_release);
  }

  void follow_on_models(int at_least, int at_most) {
    for (std::size_t task = 0; task < model_.size(); ++task) {
      const int n = ran_[task].exchange(0);
      if (n < at_least || n > at_most)
        throw difference{fmt::format("task {} ran {} times in {} passes by {}", task, n, at_most, schedule_)};
      for (int i = 0; i < n; ++i) model_[task] = next_of(model_[task]);
    }
  }

  void run(bool throws) {
    if (is_stopped_) return refuse();
    const int passes = static_cast<int>(dice_.between(throws ? 1 : 0, 5));
    const int last_task = static_cast<int>(dice_.upto(n_tasks_ - 1)),
              last_pass = static_cast<int>(dice_.upto(std::max(passes - 1, 0)));
    tells_.add(throws ? fmt::format("run {} passes; task {} of pass {} throws", passes, last_task, last_pass)
                      : fmt::format("run {} passes", passes));
    const yoke::pass_id first = passes_done_of_loop();
    const auto body = [&](std::span<const yoke::task_id> batch, yoke::pass_id pass) {
      const int at = static_cast<int>(pass - first);
      for (const yoke::task_id task : batch) {
        if (throws && int{task} == last_task && at == last_pass) throw std::runtime_error{thrown_text};
        run_task(task, at);
      }
    };
    try {
      rt_.run(*loop_, passes, body);
    } catch (const yoke::error&) {
      is_stopped_ = true;
      follow_on_models(0, passes);
      throw;
    } catch (const std::runtime_error& met) {
      is_stopped_ = true;
      if (!throws || met.what() != std::string_view{thrown_text}) throw;
      return follow_on_models(0, passes);
    }
    if (throws) throw difference{"a body threw, and run said nothing"};
    follow_on_models(passes, passes);
  }
  yoke::pass_id passes_done_of_loop() { return loop_->pass(); }

  void refuse() {
    tells_.add("run a loop that has failed");
    must_throw<yoke::usage_error>("a loop that has failed", "make a new loop",
                                  [&] { rt_.run(*loop_, [](std::span<const yoke::task_id>) {}); });
    make_loop();
  }

  /// Figure 9, of which nothing catches what is thrown.
  void by_hand() {
    if (is_stopped_) return refuse();
    tells_.add("a pass by hand");
    std::atomic<bool> failed{false};
    std::exception_ptr met;
    rt_.each_unit([&](yoke::unit_id) {
      for (yoke::task_id task = loop_->get_task(); task != yoke::no_task; task = loop_->get_task()) {
        loop_->execute_task(task);
        try {
          if (!failed) run_task(task, 0);
          yoke::cu::synchronize();
        } catch (...) {
          if (!failed.exchange(true)) met = std::current_exception();
        }
        loop_->commit_task(task);
      }
    });
    follow_on_models(failed ? 0 : 1, 1);
    if (met) std::rethrow_exception(met);
  }

  yoke::runtime& rt_;
  dice& dice_;
  journal& tells_;
  int n_tasks_;
  std::vector<yoke::placed<value>> pieces_;
  values model_;
  std::vector<std::atomic<int>> ran_;  ///< how often a task has run since models followed
  std::string schedule_;
  std::optional<yoke::task_loop> loop_;
  bool is_stopped_ = false;
};

}  // namespace

std::unique_ptr<room> make_loop_room(yoke::runtime& rt, dice& d, journal& tells) {
  return std::make_unique<loop_room>(rt, d, tells);
}

}  // namespace attack
