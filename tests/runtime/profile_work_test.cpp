/// Which loops count as the same work, in the key of a profile.
#include <set>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <support/scratch_folder.hpp>
#include <vector>

#include <yoke/kept_profiles.hpp>
#include <yoke/yoke.hpp>

namespace {

/// What a run of these loops keeps, one after the other, under `auto`.
std::vector<yoke::profile_entry> kept_of(const std::vector<yoke::workload>& loops) {
  const support::scratch_folder folder;
  const std::string file = folder / "p.json";
  for (const yoke::workload& work : loops) {
    yoke::runtime rt{{.cus = "1x1+1",
                      .devices = "emulated:1",
                      .schedule = "auto",
                      .profile = yoke::sourced{file, "--profile"}}};
    yoke::task_loop loop = rt.make_loop(work);
    for (int pass = 0; pass < 12; ++pass)
      rt.run(loop, [](std::span<const yoke::task_id>) {
        for (volatile int i = 0; i < 2000;) i = i + 1;
      });
  }
  return yoke::kept_profiles(file);
}

}  // namespace

TEST_CASE("loops of other weights, bytes or names are other work", "[profile]") {
  const yoke::workload plain{.n_tasks = 3, .name = "work"};
  yoke::workload weighted = plain, more_bytes = plain, fewer_bytes = plain, unnamed = plain;
  weighted.weights = {1, 2, 3};
  more_bytes.bytes = {8, 8, 16};
  fewer_bytes.bytes = {8, 8, 8};
  unnamed.name.clear();
  std::set<std::string> works;
  for (const yoke::profile_entry& each :
       kept_of({plain, weighted, more_bytes, fewer_bytes, unnamed, plain})) {
    works.insert(each.key.work);
    CHECK(each.runs.size() == (works.size() == 1 ? 2 : 1));  // the one that was used last comes first
  }
  CHECK(works.size() == 5);
}

TEST_CASE("tasks that are rehearsed are told to a schedule that learns, and are the loop's", "[task_loop]") {
  yoke::runtime rt{{.cus = "1x1+1", .devices = "emulated:1", .schedule = "auto"}};
  yoke::task_loop loop = rt.make_loop({.n_tasks = 3, .weights = {1, 2, 3}});
  const std::vector<yoke::task_id> some{yoke::task_id{2}};
  loop.rehearsed(some, 1e-3);
  const std::vector<yoke::task_id> none_such{yoke::task_id{3}};
  CHECK_THROWS_WITH(loop.rehearsed(none_such, 1e-3), Catch::Contains("rehearsed") && Catch::Contains("3"));
  yoke::task_loop fixed = rt.make_loop("static", {.n_tasks = 3});
  fixed.rehearsed(some, 1e-3);  // is not told: it learns nothing
  CHECK(fixed.plan().learning() == nullptr);
}
