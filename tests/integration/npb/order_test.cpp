#include "late_march.hpp"

#include <support/catch.hpp>
#include <vector>

namespace {

using kind = npb::benchmark_kind;

/// Six zones in a torus of 3x2, zone 0 on a CPU CU, the others on a GPU CU: three at its border, two inside.
constexpr std::int64_t n_border = 3, n_inner = 2;

bool starts_with(std::string_view name, std::string_view with) { return name.starts_with(with); }

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

TEST_CASE("copies of faces that are late do not outlive a map", "[npb]") {
  for (const kind which : {kind::sp, kind::bt}) {
    const npb::zone_norms expected =
        marching_late{which, 6, npb::exchange_mode::dataflow, true}.norms_after({8});
    for (int round = 0; round < 3; ++round) {
      marching_late under{which, 1, npb::exchange_mode::dataflow, false};
      under.late.delay([](std::string_view name, std::int64_t) { return name == "copy faces"; });
      under.zones->restart(8);
      yoke::task_loop loop = under.rt.make_loop(std::make_unique<to_and_fro>(1, true), under.zones->work());
      under.zones->run(loop, 8);
      CHECK(npb::total_norms(under.zones->norms()) == expected);
      CHECK(under.late.delayed() > 0);
    }
  }
}
