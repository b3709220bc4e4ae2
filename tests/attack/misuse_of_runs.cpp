#include "misuse.hpp"

#include <stdexcept>

namespace attack {

using yoke::pass_id;
using yoke::runtime;
using yoke::task_id;
using yoke::task_loop;
using yoke::unit_id;
using batch = std::span<const task_id>;

namespace {

std::vector<misuse> loops_of_others() {
  return {
      {"runs a loop of another runtime",
       kind::usage,
       {"belongs to another runtime"},
       [](victim& v) {
         runtime other;
         task_loop theirs = other.make_loop("static", {.n_tasks = 1});
         v.run(theirs);
       }},
      {"runs a loop whose runtime has ended",
       kind::usage,
       {"has ended"},
       [](victim& v) {
         auto other = std::make_unique<runtime>();
         task_loop theirs = other->make_loop("static", {.n_tasks = 1});
         other.reset();
         v.run(theirs);
       }},
  };
}

std::vector<misuse> runs_in_runs() {
  return {
      {"runs in a run",
       kind::usage,
       {"inside a parallel region"},
       [](victim& v) {
         task_loop outer = v.loop(), inner = v.loop();
         v.rt.run(outer, [&](batch) { v.run(inner); });
       }},
      {"makes a runtime in a run",
       kind::usage,
       {"made inside a parallel region"},
       [](victim& v) {
         task_loop loop = v.loop();
         v.rt.run(loop, [](batch) { const runtime inner; });
       }},
  };
}

std::vector<misuse> runs_that_cannot_begin() {
  return {
      {"asks for fewer than no passes",
       kind::usage,
       {"-3 passes"},
       [](victim& v) {
         task_loop loop = v.loop();
         v.rt.run(loop, -3, [](batch, pass_id) {});
       }},
      {"runs a loop again whose run has failed",
       kind::usage,
       {"make a new loop"},
       [](victim& v) {
         task_loop loop = v.loop();
         try {
           v.rt.run(loop, [](batch) { throw 1; });
         } catch (int) {
         }
         v.run(loop);
       }},
      {"runs a loop that one CU alone has begun",
       kind::usage,
       {"is in pass 0 and CU 0 in pass 1"},
       [](victim& v) {
         if (v.n_units() == 1)
           throw yoke::usage_error{"CU 1 is in pass 0 and CU 0 in pass 1: not with one CU"};
         task_loop loop = v.rt.make_loop("static", {.n_tasks = 0});
         static_cast<void>(loop.get_task());
         v.run(loop);
       },
       only::several_units},
  };
}

}  // namespace

std::vector<misuse> misuse_of_runs() {
  return together({loops_of_others(), runs_in_runs(), runs_that_cannot_begin()});
}

namespace {

using next_rule = std::function<batch(unit_id, pass_id)>;

/// Does what it is told; other threads ask it too, so only CU 0 is given anything.
class told_schedule final : public yoke::schedule {
 public:
  explicit told_schedule(next_rule rule, bool fails_in_done = false)
      : rule_{std::move(rule)}, fails_in_done_{fails_in_done} {}
  batch next(unit_id unit, pass_id pass) override { return unit == 0 ? rule_(unit, pass) : batch{}; }
  void done(unit_id, pass_id, batch, yoke::seconds) override {
    if (fails_in_done_) throw std::runtime_error{"done is broken"};
  }
  std::string describe() const override { return "told"; }

 private:
  next_rule rule_;
  bool fails_in_done_;
};

/// Runs two tasks under a schedule that gives these batches one after the other.
std::function<void(victim&)> giving(const std::vector<std::vector<int>>& batches,
                                    bool fails_in_done = false) {
  return [=](victim& v) {
    std::vector<std::vector<task_id>> all;
    for (const auto& each : batches) {
      all.emplace_back();
      for (const int task : each) all.back().push_back(task_id{task});
    }
    std::size_t at = 0;
    auto rule = [&](unit_id, pass_id) { return at < all.size() ? batch{all[at++]} : batch{}; };
    task_loop loop = v.rt.make_loop(std::make_unique<told_schedule>(rule, fails_in_done), {.n_tasks = 2});
    v.run(loop);
  };
}

}  // namespace

std::vector<misuse> broken_schedules() {
  return {
      {"gives a task that does not exist", kind::usage, {"(2)", "no such task"}, giving({{0, 2}})},
      {"gives no task as a task", kind::usage, {"(-1)", "no such task"}, giving({{-1}})},
      {"gives a task twice in a batch", kind::usage, {"exactly once", "told"}, giving({{0, 1, 1}})},
      {"gives the tasks of another batch again",
       kind::usage,
       {"exactly once", "told"},
       giving({{0, 1}, {0, 1}})},
      {"gives one task twice and the other to nobody",
       kind::usage,
       {"task 0 in pass 0", "exactly once", "told"},
       giving({{0}, {0}})},
      {"gives too few tasks", kind::usage, {"exactly once", "told"}, giving({{1}})},
      {"fails in next",
       kind::of_body,
       {"next is broken"},
       [](victim& v) {
         const auto broken = [](unit_id, pass_id) -> batch { throw std::runtime_error{"next is broken"}; };
         task_loop loop = v.rt.make_loop(std::make_unique<told_schedule>(broken), {.n_tasks = 2});
         v.run(loop);
       }},
      {"fails in done", kind::of_body, {"done is broken"}, giving({{0}, {1}}, true)},
  };
}

namespace {

struct refuse_item {
  YOKE_HD void operator()(yoke::item at, int which) const {
    if (at.x == which) throw std::runtime_error{"this item"};
  }
};

/// Runs a loop of one task for each CU with `body`.
std::function<void(victim&)> body(const std::function<void(victim&)>& what) {
  return [=](victim& v) {
    task_loop loop = v.rt.make_loop("static", {.n_tasks = v.n_units()});
    v.rt.run(loop, [&](batch) { what(v); });
  };
}

std::vector<misuse> throwing_bodies() {
  return {
      {"throws on every CU", kind::of_body, {"no luck"}, body([](victim&) {
         throw std::runtime_error{"no luck"};
       })},
      {"throws on a GPU CU",
       kind::of_body,
       {"no luck on a GPU"},
       body([](victim&) {
         if (yoke::cu::is_gpu()) throw std::runtime_error{"no luck on a GPU"};
       }),
       only::with_gpu},
      {"throws what is no exception", kind::of_body, {"42"}, body([](victim&) { throw 42; })},
      {"uses an unknown region", kind::usage, {"not the key"}, body([](victim& v) {
         yoke::placement::migrate(&v.passes);
       })},
      {"moves its own loop away",
       kind::usage,
       {"moved from"},
       [](victim& v) {
         task_loop loop = v.loop();
         std::vector<task_loop> taken;
         v.rt.run(loop, [&](batch) { taken.push_back(std::move(loop)); });
       },
       only::one_unit},
  };
}

std::vector<misuse> failing_kernels() {
  return {
      {"throws in a kernel on a CPU CU",
       kind::of_body,
       {"this item"},
       body([](victim&) {
         if (yoke::cu::is_cpu()) yoke::launch_here<refuse_item>({.x = 1000}, "refuse_item", 999);
       }),
       only::with_cpu},
      {"throws in a kernel on an emulated GPU",
       kind::device,
       {"emulated:0", "'refuse_item'", "this item"},
       body([](victim&) {
         if (yoke::cu::is_gpu()) yoke::launch_here<refuse_item>({.x = 1000}, "refuse_item", 999);
       }),
       only::with_gpu},
      {"launches more rows than a GPU has",
       kind::device,
       {"'refuse_item'", "65535"},
       body([](victim&) {
         if (yoke::cu::is_gpu()) yoke::launch_here<refuse_item>({.x = 1, .y = 65536}, "refuse_item", -1);
       }),
       only::with_gpu},
  };
}

}  // namespace

std::vector<misuse> failing_bodies() { return together({throwing_bodies(), failing_kernels()}); }

}  // namespace attack
