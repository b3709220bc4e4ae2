#include "../../scheduling/src/learning/alternatives.hpp"

#include <support/catch.hpp>
#include <vector>

namespace scheduling = yoke::scheduling;

namespace {

/// Sixteen tasks; the model says that a CPU CU takes 6 ms for one and the GPU 1 ms.
struct beside_a_gpu {
  const yoke::workload work{.n_tasks = 16};
  const std::vector<yoke::unit> units{{.kind = yoke::unit_kind::cpu},
                                      {.kind = yoke::unit_kind::cpu},
                                      {.kind = yoke::unit_kind::gpu, .space = yoke::space_id{1}}};
  const scheduling::forecast model{work, units, {.usual = {{0, 6e-3}, {0, 6e-3}, {0, 1e-3}}}};
  const scheduling::alternative slow = with_gpu(8), fast = with_gpu(4), gpu = with_gpu(16);

  scheduling::alternative with_gpu(int n) const {
    scheduling::assignment shares(3);
    for (int task = 0; task < 16; ++task)
      shares[task < n ? 2 : static_cast<std::size_t>(task % 2)].push_back(yoke::task_id{task});
    return scheduling::make_alternative(shares, units);
  }
};

}  // namespace

TEST_CASE(
    "of two maps that were timed the shorter one is believed against the model, if that is not by chance",
    "[scheduling][auto]") {
  const beside_a_gpu on;
  REQUIRE(on.model.of(on.fast.shares, on.fast.cpus) > on.model.of(on.slow.shares, on.slow.cpus));
  scheduling::alternatives known;
  known.note(on.fast, {.usual = 0.027, .error = 0.1});
  known.note(on.slow, {.usual = 0.122, .error = 0.1});
  CHECK(known.part(on.fast, on.slow, on.model) == Approx(0.027 / 0.122));
  SECTION("passes that vary as much as they differ say nothing") {
    known.note(on.slow, {.usual = 0.122, .error = 0.6});
    CHECK(known.part(on.fast, on.slow, on.model) > 1);
  }
  SECTION("a map that was not timed is taken from the model") {
    CHECK(known.part(on.with_gpu(5), on.slow, on.model) > 1);
  }
}

TEST_CASE("maps are of a known kind once one with the same kinds of units was timed", "[scheduling][auto]") {
  const beside_a_gpu on;
  scheduling::alternatives known;
  CHECK_FALSE(known.is_of_known_kind(on.fast));
  known.note(on.slow, {.usual = 0.1, .error = 0.1});
  CHECK(known.is_of_known_kind(on.fast));
  CHECK_FALSE(known.is_of_known_kind(on.gpu));
}

// BT-MZ class C on an H200: 1.68 ms a pass with 15 of 256 zones on CPUs, where 1.75 were predicted, and 1.82
// without, where 1.78 were predicted, of which CPU CUs are taken to cost 0.05.
TEST_CASE("GPUs alone are foreseen from what passes beside CPU CUs took where that is less than predicted",
          "[scheduling][auto]") {
  const yoke::workload work{.n_tasks = 100};
  const std::vector<yoke::unit> units{{.kind = yoke::unit_kind::cpu},
                                      {.kind = yoke::unit_kind::gpu, .space = yoke::space_id{1}}};
  const scheduling::forecast model{work, units, {.usual = {{0, 400e-6}, {0, 16e-6}}}};
  scheduling::assignment both(2), gpu(2);
  for (int task = 0; task < work.n_tasks; ++task) {
    both[task == 0 ? 0 : 1].push_back(yoke::task_id{task});
    gpu[1].push_back(yoke::task_id{task});
  }
  const scheduling::alternative alone = scheduling::make_alternative(gpu, units),
                                beside = scheduling::make_alternative(both, units);
  const auto part_if = [&](yoke::seconds measured) {
    scheduling::alternatives known;
    known.note(beside, {.usual = measured, .error = 0.005});
    REQUIRE(known.is_foreseen(alone, beside, model));
    return known.part(alone, beside, model);
  };
  const yoke::seconds predicted = model.of(both, scheduling::cpu_tasks::shared);
  CHECK(part_if(predicted) < 0.98);
  CHECK(part_if(0.94 * predicted) > 1);
  CHECK(part_if(2 * predicted) < 0.6);
}
