/// A small program over all rooms, again and again with another call of its devices failing: k = 1, 2, 3, …
/// until it gets through. Each time the program must get an error of Yoke, host data must be what some pass
/// has left, and nothing may remain on a device. Under a sanitizer nothing may leak either.
#include "../runtime/helpers.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <support/variable.hpp>
#include <vector>

#include <yoke/emulated.hpp>

using yoke::runtime;
using yoke::task_id;

namespace {

constexpr int n_tasks = 4;
constexpr int length = 50;
/// Of a device, which has one task of the last pass at least: a stream, memory, copies, a launch, waiting.
constexpr int fewest_calls = 6;

/// Every piece has one value; pass n leaves n in each.
struct program {
  std::vector<double> data = std::vector<double>(n_tasks * length, 0.0);
  int passes = 0;  ///< that are complete
  double* piece(int i) { return data.data() + i * length; }

  void register_all() {
    for (int i = 0; i < n_tasks; ++i) yoke::placement::register_mem(piece(i), length * sizeof(double));
  }
  void pass_over(runtime& rt, yoke::task_loop& loop) {
    rt.run(loop, [&](std::span<const task_id> batch) {
      for (const task_id task : batch) {
        yoke::placement::migrate(piece(task));
        auto* here = static_cast<double*>(yoke::placement::mem_addr(piece(task)));
        yoke::launch_here<add_one>({.x = length}, "add_one", yoke::device_ptr{here});
      }
    });
    ++passes;
  }
  /// Two passes under `schedule`, then one that brings every piece to another CU, and all of it home.
  void run(runtime& rt, const char* schedule) {
    yoke::task_loop loop = rt.make_loop(schedule, {.n_tasks = n_tasks});
    pass_over(rt, loop);
    pass_over(rt, loop);
    yoke::task_loop other =
        rt.make_loop(std::make_unique<round_robin>(n_tasks, rt.units().size()), {.n_tasks = n_tasks});
    pass_over(rt, other);
    bring_home(rt);
    for (int i = 0; i < n_tasks; ++i) yoke::placement::unregister_mem(piece(i));
  }
  /// What is not registered (any more) is home already.
  void bring_home(runtime& rt) {
    for (int i = 0; i < n_tasks; ++i) {
      if (is_registered(rt, i)) rt.memory().migrate(piece(i), yoke::host_space);
    }
  }
  bool is_registered(runtime& rt, int i) {
    try {
      return rt.memory().size_of(piece(i)) > 0;
    } catch (const yoke::usage_error&) {
      return false;
    }
  }
  /// Each piece is as one of the passes [least, most] has left it.
  bool is_as_after(int least, int most) {
    for (int i = 0; i < n_tasks; ++i) {
      const double value = *piece(i);
      if (value < least || value > most || std::count(piece(i), piece(i) + length, value) != length)
        return false;
    }
    return true;
  }
};

std::vector<yoke::emulated_device*> emulated(runtime& rt) {
  std::vector<yoke::emulated_device*> all;
  for (yoke::device* each : rt.devices()) all.push_back(dynamic_cast<yoke::emulated_device*>(each));
  return all;
}

/// But for the staging of copies between devices, which is kept for the next one.
bool hold_nothing(runtime& rt) {
  return std::ranges::all_of(emulated(rt), [](const yoke::emulated_device* each) {
    return each->statistics().bytes_allocated == 0 && each->statistics().pinned_buffers <= 1;
  });
}

/// The devices work again: what they hold comes home right, and the runtime runs on.
void check_recovered(runtime& rt, program& tried) {
  for (yoke::emulated_device* each : emulated(rt)) each->set_faults({});
  tried.bring_home(rt);
  CHECK(tried.is_as_after(tried.passes, tried.passes + 1));
  for (int i = 0; i < n_tasks; ++i) {
    if (tried.is_registered(rt, i)) rt.memory().unregister_mem(tried.piece(i));
  }
  CHECK(hold_nothing(rt));
  program next;
  next.register_all();
  next.run(rt, "memorizing");
  CHECK(next.is_as_after(3, 3));
  CHECK(hold_nothing(rt));
}

/// What becomes of the runtime after the failure.
enum class then { devices_recover, runtime_ends };

/// One round; false when the program got through before the k-th call.
bool fails_cleanly(const std::string& fault, const char* schedule, then what) {
  program tried;
  bool failed = true;
  try {
    const support::variable set{"YOKE_EMULATED", fault};
    runtime rt;
    tried.register_all();
    try {
      tried.run(rt, schedule);
      failed = false;
    } catch (const yoke::error&) {  // of any other type the test ends here
      if (what == then::devices_recover) check_recovered(rt, tried);
    }
    if (!failed) CHECK(hold_nothing(rt));
  } catch (const yoke::device_error&) {
    CHECK(tried.passes == 0);  // the runtime could not start
  }
  CHECK(tried.is_as_after(failed ? 0 : 3, failed ? tried.passes + 1 : 3));
  return failed;
}

int count_failures(const std::string& fault, int first, const char* schedule, then what) {
  int failures = 0;
  CAPTURE(fault, schedule);
  for (int k = first;; ++k) {
    CAPTURE(k);
    if (!fails_cleanly(fault + std::to_string(k), schedule, what)) return failures;
    ++failures;
  }
}

}  // namespace

TEST_CASE("whichever device call fails, data stay right and the runtime works when the device does",
          "[failing]") {
  for (const char* schedule : {"memorizing", "static"}) {
    for (const char* fault : {"fail-alloc=", "fail-copy=", "fail-launch="})
      CHECK(count_failures(fault, 1, schedule, then::devices_recover) > 0);
    CHECK(count_failures("fail-call=", 1, schedule, then::devices_recover) >= fewest_calls);
  }
}

TEST_CASE("whichever device call is the last, the runtime ends and host data are those of a pass",
          "[failing]") {
  for (const char* schedule : {"memorizing", "static"})
    CHECK(count_failures("lost-after=", 0, schedule, then::runtime_ends) >= fewest_calls);
}
