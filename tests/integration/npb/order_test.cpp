#include "driver/march.hpp"
#include "late_device.hpp"

#include <algorithm>
#include <support/catch.hpp>
#include <utility>
#include <vector>

#include <yoke/scheduling.hpp>

namespace {

using kind = npb::benchmark_kind;

std::unique_ptr<npb::benchmark> small(kind which) {
  npb::problem what = npb::make_custom_problem(
      which, 'S', {which == kind::bt ? 48 : 29, which == kind::bt ? 32 : 23, 9, 3, 2});
  if (which == kind::lu) return npb::lu::make_benchmark(std::move(what));
  if (which == kind::bt) return npb::bt::make_benchmark(std::move(what));
  return npb::sp::make_benchmark(std::move(what));
}

/// Six zones in a torus of 3x2, zone 0 on a CPU CU, the others on a GPU CU: three at its border, two inside.
constexpr std::int64_t n_border = 3, n_inner = 2;

struct marching_late {
  std::unique_ptr<npb::benchmark> what;
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  late_device late{*rt.devices().front()};
  std::unique_ptr<npb::march> zones;
  std::vector<yoke::unit_id> map;

  marching_late(kind which, int n_on_cpu, npb::exchange_mode exchange, bool graphs)
      : what{small(which)}, map(6, yoke::unit_id{1}) {
    // The units are the runtime's; for the time of this test theirs is the late device.
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{1})).dev = &late;
    zones = std::make_unique<npb::march>(rt, *what, exchange, graphs);
    std::fill_n(map.begin(), n_on_cpu, yoke::unit_id{0});
    zones->set_up(map);
  }
  ~marching_late() {
    zones.reset();
    const_cast<yoke::compute_unit&>(rt.units().at(yoke::unit_id{1})).dev = rt.devices().front();
  }

  npb::zone_norms norms_after(const std::vector<int>& runs) {
    int steps = 0;
    for (const int n : runs) steps += n;
    zones->restart(steps);
    yoke::task_loop loop = zones->assigned(map);
    for (const int n : runs) zones->run(loop, n);
    return npb::total_norms(zones->norms());
  }
};

struct lateness {
  const char* what;
  late_device::is_late is_late;
};

bool starts_with(std::string_view name, std::string_view with) { return name.starts_with(with); }

/// The first kernel of a step, and the last one of its second part.
bool begins(std::string_view name) {
  return name == "sp: planes" || name == "bt: compute_rhs" || name == "lu: reset";
}
bool ends(std::string_view name) {
  return name == "sp: z_solve" || name == "bt: z_solve" || name == "lu: residual";
}

const std::vector<lateness> latenesses = {
    {"copies between inner zones and the border",
     [](std::string_view name, std::int64_t) { return name == "copy faces"; }},
    {"the first part of inner zones",
     [](std::string_view name, std::int64_t rows) { return begins(name) && rows == n_inner; }},
    {"the second part of inner zones",
     [](std::string_view name, std::int64_t rows) { return ends(name) && rows == n_inner; }},
    {"the first part of the border",
     [](std::string_view name, std::int64_t rows) { return begins(name) && rows == n_border; }},
    {"the second part of the border",
     [](std::string_view name, std::int64_t rows) { return ends(name) && rows == n_border; }},
    {"unpacking", [](std::string_view name, std::int64_t) { return starts_with(name, "unpack"); }},
};

struct way {
  const char* what;
  npb::exchange_mode exchange;
  bool graphs;
  std::vector<int> runs;  ///< six steps in all
};

const std::vector<way> ways = {
    {"one run", npb::exchange_mode::dataflow, true, {6}},
    {"two runs", npb::exchange_mode::dataflow, true, {2, 4}},
    {"no graphs", npb::exchange_mode::dataflow, false, {6}},
    {"a barrier in each step", npb::exchange_mode::barrier, true, {6}},
};

}  // namespace

TEST_CASE("zones have the bits of one CPU CU, whichever part of a GPU CU's step is late", "[npb]") {
  for (const kind which : {kind::sp, kind::bt, kind::lu}) {
    const npb::zone_norms expected =
        marching_late{which, 6, npb::exchange_mode::dataflow, true}.norms_after({6});
    for (const way& how : ways)
      for (const lateness& one : latenesses) {
        // Anew each time: a graph keeps the naps that it was captured with.
        marching_late under{which, 1, how.exchange, how.graphs};
        INFO(npb::short_name(which) << ", " << how.what << ", late: " << one.what);
        under.late.delay(one.is_late);
        CHECK(under.norms_after(how.runs) == expected);
        CHECK(under.late.delayed() > 0);
      }
  }
}

namespace {

/// Zone 0 on the CPU CU in even passes, on the GPU CU with all others in odd ones; never settles.
class to_and_fro final : public yoke::schedule {
 public:
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override {
    yoke::pass_id& last = last_[static_cast<std::size_t>(unit)];
    if (std::exchange(last, pass) == pass) return {};
    const std::span<const yoke::task_id> all{tasks_};
    const std::size_t on_cpu = pass % 2 == 0 ? 1 : 0;
    return unit == 0 ? all.first(on_cpu) : all.subspan(on_cpu);
  }
  void done(yoke::unit_id, yoke::pass_id, std::span<const yoke::task_id>, yoke::seconds) override {}
  bool is_dynamic() const override { return true; }
  yoke::pass_id fixed_from() const override { return -1; }
  std::vector<yoke::unit_id> map() const override { return {}; }
  std::vector<yoke::unit_id> map_of(yoke::pass_id pass) override {
    std::vector<yoke::unit_id> map(6, yoke::unit_id{1});
    if (pass % 2 == 0) map.front() = yoke::unit_id{0};
    return map;
  }
  std::string describe() const override { return "to and fro"; }

 private:
  std::vector<yoke::task_id> tasks_{yoke::task_id{0}, yoke::task_id{1}, yoke::task_id{2},
                                    yoke::task_id{3}, yoke::task_id{4}, yoke::task_id{5}};
  yoke::pass_id last_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("copies of faces that are late do not outlive a map", "[npb]") {
  for (const kind which : {kind::sp, kind::bt}) {
    const npb::zone_norms expected =
        marching_late{which, 6, npb::exchange_mode::dataflow, true}.norms_after({8});
    for (int round = 0; round < 3; ++round) {
      marching_late under{which, 1, npb::exchange_mode::dataflow, false};
      under.late.delay([](std::string_view name, std::int64_t) { return name == "copy faces"; });
      under.zones->restart(8);
      yoke::task_loop loop = under.rt.make_loop(std::make_unique<to_and_fro>(), under.zones->work());
      under.zones->run(loop, 8);
      CHECK(npb::total_norms(under.zones->norms()) == expected);
      CHECK(under.late.delayed() > 0);
    }
  }
}
