#include "probing.hpp"

using namespace probing;  // NOLINT(google-build-using-namespace)

TEST_CASE("with YOKE_CUS every query is right and inner teams stay inside their place", "[process]") {
  if (lacks_cpus(2)) return;
  for (const shape& expected : shapes()) {
    const process_result result =
        probe({"YOKE_CUS=" + expected.cus, "YOKE_DEVICES=emulated:9"}, {"--emulated"});
    INFO(expected.cus);
    check_accepted(result, expected.places);
    check_units(result, expected);
    CHECK(line(result, "hot teams ") == "2");
    CHECK(line(result, "unbound on=") == with_cpus("@,#"));
  }
}

TEST_CASE("a configuration given in a main without OpenMP constructs works and beats YOKE_CUS", "[process]") {
  if (lacks_cpus(2)) return;
  for (const shape& expected : shapes()) {
    const process_result result = probe({}, {"--emulated", "--cus", expected.cus});
    INFO(expected.cus);
    check_accepted(result, expected.places);
    check_units(result, expected);
  }
  check_accepted(probe({"YOKE_CUS=1x2"}, {"--cus", "2x1"}), "{@},{#}");
  check_accepted(probe({"YOKE_CUS=9x9"}, {"--cus", "2x1"}), "{@},{#}");
}

TEST_CASE("YOKE_CUS works in a main that contains an OpenMP construct", "[process]") {
  if (lacks_cpus(2)) return;
  for (const char* cus : {"2x1", "1x2"}) {
    const process_result result =
        support::run_process(on_cpus(2, YOKE_CU_MAIN_WITH_CONSTRUCT, {}), {std::string{"YOKE_CUS="} + cus});
    const shape& expected = shapes()[cus[0] == '2' ? 1 : 2];
    check_accepted(result, expected.places);
    check_units(result, expected);
  }
}

TEST_CASE("what a killed process of the same number has left to libomp ends nobody", "[process]") {
  for (const char* left : {": >", "head -c 1024 /dev/zero >", "mkfifo"}) {
    INFO(left);
    const std::string script =
        std::string{left} + R"( /dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u) && exec "$0")";
    check_accepted(support::run_process({"sh", "-c", script, YOKE_CU_MAIN_WITH_CONSTRUCT}, {"YOKE_CUS=1x1"}),
                   "{@}");
  }
}

TEST_CASE("devices named by an option may share CPUs though YOKE_CUS was refused at the start", "[process]") {
  if (lacks_cpus(2)) return;
  check_accepted(probe({"YOKE_CUS=2x1+1"}, {"--emulated"}), "{@},{#},{#}");
}

TEST_CASE("a process confined by taskset gets places inside its mask only", "[process]") {
  if (lacks_cpus(2)) return;
  const std::string second = std::to_string(cpus()[1]);
  const strings confined{"taskset", "-c", second, YOKE_CU_PROBE};
  check_accepted(support::run_process(confined, {"YOKE_CUS=1x1"}), "{#}");
  check_refused(support::run_process(confined, {"YOKE_CUS=2x1"}),
                {"YOKE_CUS=2x1: 2x1 needs 2 CPUs, this process may use 1", "that fits is 1x1"});
}

TEST_CASE("a configuration that does not fit is refused with one that does", "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(probe({"YOKE_CUS=2x2"}), {"YOKE_CUS=2x2: 2x2 needs 4 CPUs", "that fits is 1x2"});
  check_refused(probe({"YOKE_CUS=2x1+1"}), {"needs 3 CPUs (one for each GPU)", "that fits is 1x1+1"});
}

TEST_CASE("one line says that emulated GPUs share CPUs", "[process]") {
  if (lacks_cpus(2)) return;
  const process_result result = probe({"YOKE_CUS=2x1+1", "YOKE_DEVICES=emulated:1"}, {"--emulated"});
  CHECK(line(result, "note: ") == fmt::format("YOKE_CUS=2x1+1: too few CPUs for all managing threads: GPU "
                                              "compute unit 2 shares CPU {} with others",
                                              cpus()[1]));
}

TEST_CASE("a program that neither sets YOKE_CUS nor makes a runtime is left as it is", "[process]") {
  if (lacks_cpus(2)) return;
  const process_result result = probe({"HWLOC_COMPONENTS_VERBOSE=1"}, {"--untouched"});
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(lines(result, "thread on=") == strings(2, with_cpus("@,#")));
  CHECK(line(result, "OMP_PLACES ") == "(unset)");
  CHECK(line(result, "OMP_PROC_BIND ") == "(unset)");
  CHECK(line(result, "KMP_HOT_TEAMS_MAX_LEVEL ") == "2");  // for a runtime that may come late
  CHECK_THAT(result.output, !Catch::Contains("component"));
  // hwloc does speak where it is loaded.
  CHECK_THAT(probe({"HWLOC_COMPONENTS_VERBOSE=1", "YOKE_CUS=1x1"}).output, Catch::Contains("component"));
}

TEST_CASE("a bad YOKE_CUS disturbs no program until that makes a runtime", "[process]") {
  for (const char* bad : {"YOKE_CUS=7x", "YOKE_CUS=60000x1", "YOKE_CUS=help"}) {
    const process_result untouched = probe({bad}, {"--untouched"}, 1);
    CHECK(untouched.status == 0);
    CHECK(line(untouched, "OMP_PLACES ") == "(unset)");
  }
  check_refused(probe({"YOKE_CUS=7x"}, {}, 1), {"YOKE_CUS=7x: position 3: "});
  check_refused(probe({"YOKE_CUS=help"}, {}, 1), {"YOKE_CUS: the configuration", "accepted: NxM"});
  check_refused(probe({"YOKE_CUS=1x1", "YOKE_SMT=2"}, {}, 1), {"YOKE_SMT=2: position 1: "});
  check_refused(probe({"YOKE_CUS=1x1", "YOKE_DEVICE=none"}, {}, 1), {"did you mean YOKE_DEVICES?"});
}

TEST_CASE("what the user set for OpenMP is used when it is right", "[process]") {
  if (lacks_cpus(2)) return;
  const std::string reversed = with_cpus("OMP_PLACES={#},{@}");
  const process_result result = probe({"YOKE_CUS=2x1", reversed, "OMP_PROC_BIND=close,primary"});
  check_accepted(result, "{#},{@}");
  CHECK(line(result, "OMP_PLACES ") == with_cpus("{#},{@}"));
  CHECK(line(result, "OMP_PROC_BIND ") == "close,primary");
  check_accepted(probe({"YOKE_CUS=2x1", "OMP_PROC_BIND=close,primary"}), "{@},{#}");
  check_accepted(probe({"YOKE_CUS=1x1", "OMP_PLACES=cores", "OMP_PROC_BIND=close,master"}), "{@}");
  check_accepted(probe({reversed, "OMP_PROC_BIND=close,master"}, {"--cus", "1x1+1"}), "{#},{@}");
  CHECK(line(probe({"YOKE_CUS=2x1", "KMP_HOT_TEAMS_MAX_LEVEL=1"}), "hot teams ") == "1");
}

TEST_CASE("what the Yoke of another process set for OpenMP is not taken for the user's", "[process]") {
  if (lacks_cpus(2)) return;
  const strings inherited{with_cpus("OMP_PLACES={@,#}"), "OMP_PROC_BIND=close,master"};
  const auto with_mark = [&](const std::string& mark) {
    strings all = inherited;
    all.push_back(with_cpus("_YOKE_SET=" + mark));
    return probe(all, {"--cus", "2x1"});
  };
  check_accepted(with_mark("1:1:@,#;OMP_PLACES={@,#};OMP_PROC_BIND=close,master"), "{@},{#}");
  const strings refusal{"--cus 2x1: OMP_PLACES gives 1 places, 2 are needed"};
  check_refused(probe(inherited, {"--cus", "2x1"}), refusal);
  // Changed since, by somebody who may know why; or a mark that is none.
  for (const char* mark :
       {"1:1:@,#;OMP_PLACES={@};OMP_PROC_BIND=close,master", "", ";", "1", "x:;OMP_PLACES", "1:1:@;;="})
    check_refused(with_mark(mark), refusal);
}

TEST_CASE("what the user set for OpenMP is refused when it contradicts the configuration", "[process]") {
  if (lacks_cpus(2)) return;
  const auto refused = [&](strings environment, const std::string& reason) {
    environment.push_back("YOKE_CUS=2x1");
    check_refused(probe(environment),
                  {"YOKE_CUS=2x1: ", reason, "OMP_PLACES=\"{@},{#}\"", "OMP_PROC_BIND=close,master"});
  };
  refused({with_cpus("OMP_PLACES={@}"), "OMP_PROC_BIND=close,master"},
          "OMP_PLACES gives 1 places, 2 are needed");
  refused({with_cpus("OMP_PLACES={@,#},{@}"), "OMP_PROC_BIND=close,master"},
          "place 0 of OMP_PLACES, {@,#}, has 2 CPUs, CPU compute unit 0 has 1");
  check_refused(probe({"YOKE_CUS=2x1", "OMP_PROC_BIND=false"}),
                {"YOKE_CUS=2x1: OMP_PROC_BIND=false says that threads must not be bound", "unset it"});
}

TEST_CASE("limits that would make teams too small are refused", "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(probe({"YOKE_CUS=1x2", "OMP_MAX_ACTIVE_LEVELS=1"}), {"unset OMP_MAX_ACTIVE_LEVELS"});
  check_refused(probe({"YOKE_CUS=2x1", "OMP_THREAD_LIMIT=1"}),
                {"needs 2 threads, OMP_THREAD_LIMIT=1 allows 1; unset it"});
  for (const std::string configuration : {"2x1", "1x2"}) {
    const auto with = [&](const std::string& variable, const std::string& how) {
      check_refused(probe({"YOKE_CUS=" + configuration, variable}),
                    {"YOKE_CUS=" + configuration + ": needs 2 threads, " + variable + how + "; unset it"});
    };
    with("KMP_LIBRARY=serial", " makes each team one thread");
    with("KMP_DEVICE_THREAD_LIMIT=1", " allows 1");
    with("KMP_ALL_THREADS=1", " allows 1");
  }
  check_refused(probe({"YOKE_CUS=2x1", "KMP_AFFINITY=disabled"}), {"KMP_AFFINITY", "unset it"});
}

TEST_CASE("values that OpenMP would not survive are told before it starts", "[process]") {
  const auto refused = [](const std::string& variable, const strings& parts) {
    strings all{variable + ": "};
    all.insert(all.end(), parts.begin(), parts.end());
    check_refused(probe({variable}, {"--cus", "1x1"}, 1), all);
  };
  const std::string numbers = "accepted: whole numbers from 1 to 65535 separated by commas";
  for (const char* bad : {"", "x", "-1", "+2", "{0", "1B", "2,-1", "2,x", "2 2", "99999999999999999999"}) {
    refused(std::string{"OMP_NUM_THREADS="} + bad, {"position", numbers});
  }
  for (const char* name : {"OMP_STACKSIZE", "GOMP_STACKSIZE", "KMP_STACKSIZE"}) {
    for (const char* bad : {"99999999999999999999", "2000000000T", "1000T"}) {
      refused(fmt::format("{}={}", name, bad), {"a size in ", "as 8M"});
    }
  }
  for (const char* bad : {"", "x", "2x,close", "close,masterclose,master", "close,", "close;master"}) {
    refused(std::string{"OMP_PROC_BIND="} + bad, {"expected", "Yoke itself needs close,master"});
  }
  refused("KMP_BLOCKTIME=2147483648", {"from 0 to 2147483647"});
  refused("KMP_HOT_TEAMS_MAX_LEVEL=99999999999999999999", {"from 0 to 65535"});
  for (const char* name : {"KMP_PLAIN_BARRIER", "KMP_FORKJOIN_BARRIER", "KMP_REDUCTION_BARRIER"}) {
    for (const char* bad : {"", "0", ",", "1,0", "1,1,1"})
      refused(fmt::format("{}={}", name, bad), {"as 2,2"});
  }
  for (const char* bad : {"", "0", "2,x", "disabled"}) {
    refused(std::string{"KMP_AFFINITY="} + bad, {"ignore its places; unset it"});
    refused(std::string{"GOMP_CPU_AFFINITY="} + bad, {"ignore its places; unset it"});
  }
}

TEST_CASE("values that OpenMP accepts are left to it", "[process]") {
  for (const char* good :
       {"OMP_NUM_THREADS=2", "OMP_NUM_THREADS= 4 , 2 ", "OMP_NUM_THREADS=65535", "OMP_STACKSIZE=4096",
        "OMP_STACKSIZE= 4 M ", "OMP_STACKSIZE=4mB", "KMP_STACKSIZE=4194304", "GOMP_STACKSIZE=16384B",
        "KMP_PLAIN_BARRIER=31", "KMP_FORKJOIN_BARRIER=1,31", "OMP_PROC_BIND= Close , MASTER ",
        "KMP_BLOCKTIME=infinite", "KMP_BLOCKTIME=200us"}) {
    check_accepted(probe({good}, {"--cus", "1x1"}, 1), "{@}");
  }
}
