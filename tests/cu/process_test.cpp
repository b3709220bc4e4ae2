// Each test starts a process, because OpenMP reads its environment once.
#include <fmt/format.h>
#include <sstream>
#include <support/catch.hpp>
#include <support/process.hpp>

#include <yoke/places.hpp>
#include <yoke/topology.hpp>

using support::process_result;
using strings = std::vector<std::string>;

namespace {

/// The process's CPUs in the order in which Yoke hands them out.
const std::vector<int>& cpus() {
  static const std::vector<int> usable = yoke::topology::of_this_machine().usable_cpus(false);
  return usable;
}

bool lacks_cpus(std::size_t needed) {
  if (cpus().size() >= needed) return false;
  support::skip(fmt::format("needs {} CPUs, has {}", needed, cpus().size()));
  return true;
}

/// Confines the processes to `count` CPUs, so that the answers are those of such a machine.
strings on_cpus(std::size_t count, const std::string& program, const strings& arguments) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += fmt::format("{}{}", list.empty() ? "" : ",", cpus()[i]);
  strings command{"taskset", "-c", list, program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

process_result probe(const strings& environment, const strings& arguments = {}, std::size_t on = 2) {
  return support::run_process(on_cpus(on, YOKE_CU_PROBE, arguments), environment);
}

/// The lines that begin with `start`, without it.
strings lines(const process_result& result, const std::string& start) {
  strings found;
  std::istringstream all{result.output};
  for (std::string line; std::getline(all, line);) {
    if (line.starts_with(start)) found.push_back(line.substr(start.size()));
  }
  return found;
}

std::string line(const process_result& result, const std::string& start) {
  const strings found = lines(result, start);
  return found.size() == 1 ? found.front() : fmt::format("({} lines)", found.size());
}

/// The value of NAME=value in a line.
std::string field(const std::string& text, const std::string& name) {
  const std::size_t start = text.find(" " + name + "=");
  if (start == std::string::npos) return "(none)";
  const std::size_t value = start + name.size() + 2;
  return text.substr(value, text.find(' ', value) - value);
}

/// The text with @ and # replaced by this machine's first and second CPU.
std::string with_cpus(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '@' || c == '#') out += std::to_string(cpus()[c == '@' ? 0 : 1]);
    if (c != '@' && c != '#') out += c;
  }
  return out;
}

void check_accepted(const process_result& result, const std::string& places) {
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(line(result, "places ") == with_cpus(places));
  CHECK(line(result, "binding ") == "close,master");
}

void check_refused(const process_result& result, const strings& parts) {
  INFO(result.output);
  CHECK(result.status == 2);
  for (const std::string& part : parts) CHECK_THAT(result.output, Catch::Contains(with_cpus(part)));
}

struct shape {
  std::string cus;
  std::string places;
  strings inner;  ///< CPUs of each unit, where all its threads must be
  int cpu_units;
  int inner_cpus;
};

void check_units(const process_result& result, const shape& expected) {
  INFO(result.output);
  const int units = static_cast<int>(expected.inner.size());
  for (int unit = 0; unit < units; ++unit) {
    const bool is_cpu = unit < expected.cpu_units;
    const std::string where = with_cpus(expected.inner[static_cast<std::size_t>(unit)]);
    const std::string outer = line(result, fmt::format("unit {} outer", unit));
    const strings inner = lines(result, fmt::format("unit {} inner", unit));
    CHECK(field(outer, "level") == "1");
    CHECK(inner.size() == static_cast<std::size_t>(is_cpu ? expected.inner_cpus : 1));
    strings all = inner;
    all.push_back(outer);
    for (const std::string& each : all) {
      CHECK(field(each, "cus") == std::to_string(units));
      CHECK(field(each, "cpus") == std::to_string(expected.cpu_units));
      CHECK(field(each, "gpus") == std::to_string(units - expected.cpu_units));
      CHECK(field(each, "inner") == std::to_string(is_cpu ? expected.inner_cpus : 0));
      CHECK(field(each, "is_cpu") == (is_cpu ? "true" : "false"));
      CHECK(field(each, "is_gpu") == (is_cpu ? "false" : "true"));
      CHECK(field(each, "cpu_id") == std::to_string(is_cpu ? unit : -1));
      CHECK(field(each, "gpu_id") == std::to_string(is_cpu ? -1 : 10 + unit - expected.cpu_units));
      CHECK(field(each, "stream") == (is_cpu ? "false" : "true"));
      CHECK(field(each, "on") == where);
    }
    for (const std::string& each : inner) {
      CHECK(field(each, "cu_id") == std::to_string(unit));
      CHECK(field(each, "level") == "3");
    }
  }
}

const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"1x1", "{@}", {"@"}, 1, 1},
      {"2x1", "{@},{#}", {"@", "#"}, 2, 1},
      {"1x2", "{@,#}", {"@,#"}, 1, 2},
      {"1x1+1", "{@},{#}", {"@", "#"}, 1, 1},
      {"+1", "{@}", {"@"}, 0, 0},
      {"+2", "{@},{#}", {"@", "#"}, 0, 0},
      {"2x1+1", "{@},{#},{#}", {"@", "#", "#"}, 2, 1},
      {"1x2+1", "{@,#},{#}", {"@,#", "#"}, 1, 2},
  };
  return all;
}

}  // namespace

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

TEST_CASE("a configuration given in a main that contains an OpenMP construct is refused with advice",
          "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(support::run_process(on_cpus(2, YOKE_CU_MAIN_WITH_CONSTRUCT, {"2x1"})),
                {"--cus 2x1: OpenMP had started before", "with the places {@,#} instead of {@},{#}",
                 "set YOKE_CUS=2x1 in the environment", "move the construct out of main"});
}

TEST_CASE("a refusal at the start is told where OpenMP has started since", "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(
      support::run_process(on_cpus(2, YOKE_CU_MAIN_WITH_CONSTRUCT, {"--emulated"}), {"YOKE_CUS=2x1+1"}),
      {"YOKE_CUS=2x1+1: OpenMP had started before", "YOKE_CUS was refused (YOKE_CUS=2x1+1: 2x1+1 needs 3",
       "must then be in the environment, too, as YOKE_DEVICES"});
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
  for (const char* name : {"OMP_PLACES ", "OMP_PROC_BIND ", "KMP_HOT_TEAMS_MAX_LEVEL "}) {
    CHECK(line(result, name) == "(unset)");
  }
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
  const strings right_lines{"OMP_PLACES=\"{@},{#}\"", "OMP_PROC_BIND=close,master"};
  const auto refused = [&](strings environment, const std::string& reason) {
    environment.push_back("YOKE_CUS=2x1");
    check_refused(probe(environment), {"YOKE_CUS=2x1: ", reason, right_lines[0], right_lines[1]});
  };
  refused({with_cpus("OMP_PLACES={@},{#}")}, "the binding in force is OMP_PROC_BIND=spread");
  refused({"OMP_PLACES=cores"}, "the binding in force is OMP_PROC_BIND=spread");
  refused({"OMP_PROC_BIND=spread"}, "the binding in force is OMP_PROC_BIND=spread");
  refused({"OMP_PROC_BIND=false"}, "OMP_P");
  refused({with_cpus("OMP_PLACES={@}"), "OMP_PROC_BIND=close,master"},
          "OMP_PLACES gives 1 places, 2 are needed");
  refused({with_cpus("OMP_PLACES={@,#},{@}"), "OMP_PROC_BIND=close,master"},
          "place 0 of OMP_PLACES, {@,#}, has 2 CPUs, CPU compute unit 0 has 1");
}

TEST_CASE("limits that would make teams too small are refused", "[process]") {
  if (lacks_cpus(2)) return;
  check_refused(probe({"YOKE_CUS=1x2", "OMP_MAX_ACTIVE_LEVELS=1"}), {"unset OMP_MAX_ACTIVE_LEVELS"});
  check_refused(probe({"YOKE_CUS=2x1", "OMP_THREAD_LIMIT=1"}),
                {"needs 2 threads, OMP_THREAD_LIMIT allows 1"});
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

TEST_CASE("a second runtime shares the places of the first and is refused where they differ", "[process]") {
  if (lacks_cpus(2)) return;
  const process_result same = probe({}, {"--cus", "2x1", "--cus", "2x1", "--cus", "1x1+1", "--cus", "1x1"});
  INFO(same.output);
  CHECK(same.status == 0);
  CHECK(lines(same, "places ") ==
        strings{with_cpus("{@},{#}"), with_cpus("{@},{#}"), with_cpus("{@},{#}"), with_cpus("{@}")});
  check_refused(probe({}, {"--cus", "2x1", "--cus", "1x2"}),
                {"--cus 1x2: needs the places {@,#}, but an earlier runtime of this process has fixed them "
                 "as {@},{#}"});
}
