/// Runs the table of misuse.hpp: each entry gets the error that it must get, with a message that names the
/// value, and the same runtime works afterwards.
#include "misuse.hpp"

#include <exception>
#include <support/catch.hpp>

namespace attack {

victim::victim() {
  memory().register_mem(first.data(), first.size() * sizeof(double));
  memory().register_mem(second.data(), second.size() * sizeof(double));
}

victim::~victim() {
  for (const yoke::key region : {first.data(), second.data()}) memory().unregister_mem(region);
}

bool victim::can(only where) const {
  switch (where) {
    case only::with_cpu:
      return rt.units().shape().cpu_units > 0;
    case only::with_gpu:
      return rt.units().shape().gpu_units > 0;
    case only::one_unit:
      return n_units() == 1;
    case only::several_units:
      return n_units() > 1;
    case only::anywhere:
      break;
  }
  return true;
}

bool victim::still_works() {
  yoke::task_loop by_run = loop("memorizing"), by_hand = loop("dynamic");
  counts ran{6};
  rt.run(by_run, [&](std::span<const yoke::task_id> batch) {
    for (const yoke::task_id task : batch) data.add_one_to(task);
    ran.add(batch);
  });
#pragma omp parallel num_threads(n_units())
  for (yoke::task_id task = by_hand.get_task(); task != yoke::no_task; task = by_hand.get_task()) {
    by_hand.execute_task(task);
    data.add_one_to(task);
    if (yoke::cu::is_gpu()) yoke::cu::synchronize();
    by_hand.commit_task(task);
    ran.add(task);
  }
  passes += 2;
  return ran.all(2) && data.all_are(passes);
}

namespace {

struct outcome {
  kind error = kind::anything;
  std::string message = "(nothing was thrown)";
};

template <class Error>
bool is(const std::exception& met) {
  return dynamic_cast<const Error*>(&met) != nullptr;
}

outcome outcome_of(const misuse& each, victim& of) {
  try {
    each.doing(of);
  } catch (const std::exception& met) {
    const kind error = is<yoke::usage_error>(met)     ? kind::usage
                       : is<yoke::config_error>(met)  ? kind::config
                       : is<yoke::device_error>(met)  ? kind::device
                       : is<yoke::out_of_memory>(met) ? kind::memory
                                                      : kind::of_body;
    return {error, met.what()};
  } catch (int number) {
    return {kind::of_body, std::to_string(number)};
  }
  return {};
}

void check(const std::vector<misuse>& table) {
  victim of;
  for (const misuse& each : table) {
    if (!of.can(each.where)) continue;
    CAPTURE(each.what);
    const outcome met = outcome_of(each, of);
    CHECK(met.error == each.error);
    for (const std::string& part : each.says) CHECK_THAT(met.message, Catch::Contains(part));
    CHECK(of.still_works());
  }
}

}  // namespace

}  // namespace attack

TEST_CASE("misuse of regions is a usage error that names region and space, and breaks nothing", "[misuse]") {
  attack::check(attack::misuse_of_regions());
}

TEST_CASE("units that do not exist are refused by number", "[misuse]") {
  attack::check(attack::misuse_of_units());
}

TEST_CASE("work that cannot be scheduled is refused with its value", "[misuse]") {
  attack::check(attack::misuse_of_work());
}

TEST_CASE("primitives out of order are refused with what the CU has in hand", "[misuse]") {
  attack::check(attack::misuse_of_primitives());
}

TEST_CASE("runs that cannot be are refused with the reason", "[misuse]") {
  attack::check(attack::misuse_of_runs());
}

TEST_CASE("a broken schedule ends its run and nothing else", "[misuse]") {
  attack::check(attack::broken_schedules());
}

TEST_CASE("a body that fails ends its run and nothing else", "[misuse]") {
  attack::check(attack::failing_bodies());
}

TEST_CASE("settings that cannot be are refused beside a runtime that goes on", "[misuse]") {
  attack::check(attack::misuse_of_settings());
}
