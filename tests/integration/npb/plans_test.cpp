#include "marching.hpp"

#include <atomic>
#include <support/catch.hpp>
#include <thread>
#include <utility>

// How a GPU CU keeps the plans of its batches: driver/gpu/batch_plans.hpp.

namespace {

/// In pass p the GPU has the zones whose bits are set in p + 1: 63 batches before one comes again.
class ever_others final : public yoke::schedule {
 public:
  explicit ever_others(bool tells) : tells_{tells} {}
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    state& own = states_[static_cast<std::size_t>(unit)];
    if (std::exchange(own.pass, pass) == pass) return {};
    own.batch.clear();
    for (int zone = 0; zone < 6; ++zone)
      if (unit_of(zone, pass) == unit) own.batch.push_back(yoke::task_id{zone});
    return own.batch;
  }
  yoke::pass_plan plan_of(yoke::pass_id pass) const override {
    if (!tells_) return {};
    std::vector<yoke::unit_id> map;
    for (int zone = 0; zone < 6; ++zone) map.push_back(unit_of(zone, pass));
    return {.map = std::move(map), .until = pass + 1};
  }
  std::string describe() const override { return "ever others"; }

 private:
  struct state {
    yoke::pass_id pass = -1;
    std::vector<yoke::task_id> batch;
  };
  static yoke::unit_id unit_of(int zone, yoke::pass_id pass) {
    return yoke::unit_id{static_cast<int>((pass + 1) >> zone & 1)};
  }
  bool tells_;
  state states_[2];
};

}  // namespace

TEST_CASE("more batches than plans are kept give the same bits in bounded memory", "[npb]") {
  constexpr int steps = 130;  // each batch comes in even and in odd steps
  const npb::zone_norms expected = marching{6}.norms_after({steps});
  for (const bool tells : {true, false}) {
    INFO("the map of the next pass is " << (tells ? "known" : "not known"));
    marching under{0};
    under.zones.restart(steps);
    yoke::task_loop loop = under.rt.make_loop(std::make_unique<ever_others>(tells), under.zones.work());
    std::size_t after_half = 0;
    for (int step = 0; step < steps; ++step) {
      under.zones.run(loop, 1);
      if (step == steps / 2) after_half = under.device().statistics().bytes_allocated;
    }
    CHECK(npb::total_norms(under.zones.norms()) == expected);
    CHECK(under.device().statistics().bytes_allocated <= after_half + after_half / 4);
  }
}

namespace {

/// Zone 0 on the CPU; the GPU gets all others in a settled map, yet one by one. In its second step, in which
/// the ninth and tenth plan are made, it is through before the CPU looks at the faces of the first.
class one_by_one final : public yoke::schedule {
 public:
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    if (unit == 1) gpu_pass_ = pass;
    while (unit == 0 && pass == 1 && gpu_pass_ < 2) std::this_thread::yield();
    state& own = states_[static_cast<std::size_t>(unit)];
    if (own.pass != pass) own = {pass, 0};
    const int most = unit == 0 ? 1 : 5;
    const int first = unit == 0 ? 0 : 1 + own.given;
    const std::size_t n = own.given++ < most ? 1 : 0;
    return std::span{tasks_}.subspan(n == 0 ? 0 : static_cast<std::size_t>(first), n);
  }
  yoke::pass_plan plan_of(yoke::pass_id) const override {
    std::vector<yoke::unit_id> map(6, yoke::unit_id{1});
    map.front() = yoke::unit_id{0};
    return {.map = std::move(map), .until = yoke::pass_plan::for_good};
  }
  std::string describe() const override { return "one by one"; }

 private:
  struct state {
    yoke::pass_id pass = -1;
    int given = 0;
  };
  std::vector<yoke::task_id> tasks_{yoke::task_id{0}, yoke::task_id{1}, yoke::task_id{3},
                                    yoke::task_id{5}, yoke::task_id{4}, yoke::task_id{2}};
  std::atomic<yoke::pass_id> gpu_pass_{0};
  state states_[2];
};

}  // namespace

TEST_CASE("no plan is given away while others may read the faces that it has delivered", "[npb]") {
  constexpr int steps = 12;
  const npb::zone_norms expected = marching{6}.norms_after({steps});
  marching under{1};
  under.zones.restart(steps);
  yoke::task_loop loop = under.rt.make_loop(std::make_unique<one_by_one>(), under.zones.work());
  under.zones.run(loop, steps);
  CHECK(npb::total_norms(under.zones.norms()) == expected);
}
