#include "binder_driver.hpp"

#include <limits>
#include <support/errors.hpp>

#include <yoke/simulated_tasks.hpp>

using namespace binder_driver;
using support::lacks;
using support::refusal;

namespace {

std::string refused(const task_request& task) {
  task_binder binder{machine_of(2, 1)};
  const std::string said = refusal([&] { binder.tell(task); });
  CHECK(binder.n_told() == 0);
  return said;
}

}  // namespace

TEST_CASE("what is no task is refused with what is accepted", "[binder]") {
  const std::vector<unit_id> none{unit_id{3}}, negative{unit_id{}}, gpu{unit_id{2}};
  CHECK(lacks(refused({.on = none}), {"task_request::on: ", "unit 3", "0 to 2"}) == "");
  CHECK(lacks(refused({.on = negative}), {"task_request::on: ", "unit -1", "0 to 2"}) == "");
  CHECK(lacks(refused({.cpus = 3}), {"task_request::cpus: 3", "CPU CUs", "has 2"}) == "");
  CHECK(lacks(refused({.cpus = 2, .on = gpu}), {"task_request::cpus: 2", "CPU CUs", "has 0"}) == "");
  CHECK(refused({.cpus = std::numeric_limits<int>::min()}).starts_with("task_request::cpus: -2147483648"));
  CHECK(lacks(refused({.work = 0}), {"task_request::work: 0", "1e-40 to 1e+40"}) == "");
  const told_task other{std::uint64_t{1} << 32 | 5};
  CHECK(lacks(refused({.after = std::span(&other, 1)}),
              {"task_request::after: ", "0x100000005", "task_binder::tell"}) == "");
  const told_task zero{};
  CHECK(refused({.after = std::span(&zero, 1)}).starts_with("task_request::after: task 0x0 was not told"));
}

TEST_CASE("what happens to a task that is not bound is refused", "[binder]") {
  task_binder binder{machine_of(1, 0)};
  const told_task task = binder.tell({}), later = binder.tell({});
  CHECK(refusal([&] { binder.started(task, 0); }).ends_with("is not bound; one that is bound and not over"));
  binder.bind_next(0);
  binder.ended(task, 1, 1);
  CHECK(refusal([&] { binder.ended(task, 1, 1); }).ends_with("is over; one that is bound and not over"));
  CHECK(refusal([&] { binder.failed(later, 1); }).ends_with("is not bound; one that is bound and not over"));
  CHECK(binder.cancel(task));
  const told_task next = binder.tell({.after = std::span(&task, 1)});
  CHECK(binder.n_ready() == 2);
  CHECK(next != task);
}

TEST_CASE("what is no machine is refused with what is accepted", "[binder]") {
  const auto said = [](const task_machine& machine) { return refusal([&] { task_binder{machine}; }); };
  CHECK(said({}) == "task_machine::units is empty; a task needs a unit to run on");
  CHECK(said({.units = make_units(2, 0), .room = {1}})
            .starts_with("task_machine::room has 1 values for 2 units"));
  CHECK(said({.units = make_units(1, 0), .room = {-1}}).starts_with("task_machine::room[0]: -1"));
  CHECK(said({.units = {unit{.space = space_id{64}}}}) ==
        "task_machine::units: memory 64; memories are 0 to 63");
  CHECK(said({.units = make_units(1, 0), .ways = {{space_id{0}, space_id{1}, {-1}}}})
            .starts_with("task_machine::ways[0]: -1; a bandwidth and a latency are 0, or a number"));
  task_binder binder{machine_of(1, 1)};
  CHECK(refusal([&] { binder.expect(0, unit_id{2}, 1); }) == "task_binder::expect: unit 2; units are 0 to 1");
  CHECK(refusal([&] { binder.expect(0, unit_id{0}, 0); }).starts_with("task_binder::expect: 0 s for work 1"));
  CHECK(refusal([&] { binder.is_in(0, space_id{2}); }) ==
        "task_binder::is_in: memory 2; memories are 0 to 1");
  CHECK(refusal([&] { binder.is_free(unit_id{-1}); }) == "task_binder::is_free: unit -1; units are 0 to 1");
}

TEST_CASE("a graph that cannot be planned is refused with the task", "[binder]") {
  const auto said = [](std::vector<recorded_task> tasks, kind_times_by_unit times = {{1, 1}}) {
    return refusal([&] { heft(machine_of(1, 1), tasks, times); });
  };
  CHECK(said({{.after = {0}}}) == "task 0: comes after 0; one of those before it");
  CHECK(said({{.kind = 1}}) == "task 0: kind 1; kinds with times are 0 to 0");
  CHECK(said({}, {{1}}).starts_with("times of kind 0: a time from"));
  CHECK(said({{.cpus = 2}}).starts_with("task_request::cpus: 2"));
}
