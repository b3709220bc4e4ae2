// Where libomp had started before a configuration was given, or with a binding of the user's, Yoke binds
// threads.
#include "probing.hpp"

#include <algorithm>

using namespace probing;  // NOLINT(google-build-using-namespace)

namespace {

const shape& shape_of(const std::string& cus) { return *std::ranges::find(shapes(), cus, &shape::cus); }

void check_runs_right(const process_result& result, const shape& expected, const std::string& bound_by) {
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(line(result, "places ") == with_cpus(expected.places));
  CHECK(line(result, "bound by ") == bound_by);
  check_units(result, expected);
}

process_result late_main(const strings& environment, const strings& arguments) {
  return support::run_process(on_cpus(2, YOKE_CU_MAIN_WITH_CONSTRUCT, arguments), environment);
}

/// What a refusal says to unset or to set, done.
strings mended(strings environment, const std::string& message) {
  for (const char* name :
       {"OMP_PLACES", "OMP_PROC_BIND", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED", "OMP_THREAD_LIMIT",
        "KMP_AFFINITY", "GOMP_CPU_AFFINITY", "KMP_HOT_TEAMS_MAX_LEVEL"}) {
    if (message.find(name) == std::string::npos) continue;
    std::erase_if(environment,
                  [&](const std::string& each) { return each.starts_with(std::string{name} + "="); });
  }
  return environment;
}

}  // namespace

TEST_CASE("a configuration that is given after a parallel region of main is bound by Yoke", "[process]") {
  if (lacks_cpus(2)) return;
  for (const char* cus : {"2x1", "1x2", "1x1"}) {
    const process_result result = late_main({}, {cus});
    INFO(result.output);
    CHECK(result.status == 0);
    CHECK(line(result, "bound by ") == "Yoke");
    check_units(result, shape_of(cus));
  }
}

TEST_CASE("what YOKE_CUS asked for in vain at the start works once the program names its devices",
          "[process]") {
  if (lacks_cpus(2)) return;
  check_runs_right(late_main({"YOKE_CUS=2x1+1"}, {"--emulated"}), shape_of("2x1+1"), "Yoke");
}

TEST_CASE("a binding of the user's that scatters inner teams is kept from them", "[process]") {
  if (lacks_cpus(2)) return;
  for (const char* binding :
       {"true", "spread", "close", "primary", "spread,spread", "close,close", "master,spread"}) {
    for (const char* cus : {"2x1", "1x2", "2x1+1", "1x2+1"}) {
      INFO(binding);
      check_runs_right(probe({std::string{"OMP_PROC_BIND="} + binding}, {"--emulated", "--cus", cus}),
                       shape_of(cus), "Yoke");
    }
  }
}

TEST_CASE("runtimes of one process may have different configurations", "[process]") {
  if (lacks_cpus(2)) return;
  const process_result same = probe({}, {"--cus", "2x1", "--cus", "2x1", "--cus", "1x1+1", "--cus", "1x1"});
  INFO(same.output);
  CHECK(same.status == 0);
  CHECK(lines(same, "bound by ") == strings(4, "OpenMP"));
  const process_result other = probe({}, {"--cus", "2x1", "--cus", "1x2", "--cus", "2x1"});
  INFO(other.output);
  CHECK(other.status == 0);
  CHECK(lines(other, "places ") == strings{with_cpus("{@},{#}"), with_cpus("{@,#}"), with_cpus("{@},{#}")});
  CHECK(lines(other, "bound by ") == strings{"OpenMP", "Yoke", "Yoke"});
  for (const std::string& each : lines(other, "unit 0 inner"))
    CHECK((field(each, "on") == with_cpus("@") || field(each, "inner") == "2"));
}

TEST_CASE("an inner team whose threads change is refused with the variable that keeps them", "[process]") {
  if (lacks_cpus(2)) return;
  const process_result result = late_main({"KMP_HOT_TEAMS_MAX_LEVEL=1"}, {"1x2"});
  INFO(result.output);
  // libomp may happen to give the same threads again; then they are where they should be.
  if (result.status == 0) return check_units(result, shape_of("1x2"));
  check_refused(result, {"--cus 1x2: inner teams change their threads", "set KMP_HOT_TEAMS_MAX_LEVEL=2"});
}

TEST_CASE("the user's own places hold where libomp started with fewer CPUs", "[process]") {
  if (lacks_cpus(2)) return;
  for (const char* cus : {"2x1", "1x2"}) {
    const shape& expected = shape_of(cus);
    const strings users{"OMP_PLACES=" + with_cpus(expected.places), "OMP_PROC_BIND=close,master"};
    check_runs_right(probe(users, {"--narrow", "--cus", cus}), expected, "Yoke");
    check_runs_right(probe(users, {"--cus", cus}), expected, "OpenMP");
    check_runs_right(probe({}, {"--narrow", "--cus", cus}), expected, "Yoke");
  }
}

TEST_CASE("places on which libomp aborts are refused before it starts", "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(
      probe({with_cpus("OMP_PLACES=!{@},{#}")}, {"--cus", "2x1"}),
      {with_cpus(
          "OMP_PLACES=!{@},{#}: position 1: is the complement of a place, on which libomp 19 aborts")});
}

namespace {

const strings& wrong_bindings() {
  static const strings all{"",
                           "OMP_PROC_BIND=true",
                           "OMP_PROC_BIND=false",
                           "OMP_PROC_BIND=spread",
                           "OMP_PLACES=cores",
                           "OMP_PLACES=threads",
                           "OMP_PLACES=sockets",
                           "OMP_PLACES={@,#}",
                           "OMP_PLACES={#},{@}",
                           "OMP_PLACES={@}",
                           "OMP_MAX_ACTIVE_LEVELS=1",
                           "OMP_NESTED=false",
                           "OMP_THREAD_LIMIT=1",
                           "OMP_NUM_THREADS=1",
                           "KMP_AFFINITY=compact",
                           "GOMP_CPU_AFFINITY=@",
                           "KMP_HOT_TEAMS_MAX_LEVEL=1"};
  return all;
}

/// `start` takes the environment; where it is refused, what the message says is done.
template <class Start>
process_result start_until_accepted(const strings& environment, const Start& start) {
  process_result result = start(environment);
  if (result.status == 0) return result;
  INFO(result.output);
  const strings without = mended(environment, result.output);
  CHECK(without.size() < environment.size());
  return start(without);
}

void check_wrong_binding(const std::string& cus, const std::string& setting, bool is_late) {
  INFO(cus << " " << setting << (is_late ? " late" : ""));
  const strings environment = setting.empty() ? strings{} : strings{with_cpus(setting)};
  const process_result result = start_until_accepted(environment, [&](const strings& with) {
    return is_late ? late_main(with, {cus}) : probe(with, {"--cus", cus});
  });
  shape expected = shape_of(cus);
  if (setting == "OMP_PLACES={#},{@}" && cus[0] == '2') expected.inner = {"#", "@"};
  check_units(result, expected);
}

}  // namespace

TEST_CASE("wrong bindings either run right or are refused with what mends them", "[process]") {
  if (lacks_cpus(2)) return;
  for (const char* cus : {"2x1", "1x2"})
    for (const std::string& setting : wrong_bindings())
      for (const bool is_late : {false, true}) check_wrong_binding(cus, setting, is_late);
}
