// Every rule of `yoke check`, on surroundings that are made up: one that breaks it, and that nothing else
// does.
#include "audit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <support/catch.hpp>

using tools::findings;
using tools::surroundings;
using yoke::topology;

namespace {

surroundings on(const char* machine) {
  surroundings all{.machine = topology::synthetic(machine)};
  all.cpus_online = all.machine.n_cpus();
  all.huge_pages = "madvise";
  return all;
}

surroundings with(std::map<std::string, std::string> variables, const char* machine = "core:4 pu:1") {
  surroundings all = on(machine);
  all.variables = std::move(variables);
  return all;
}

surroundings with_gpus(std::map<std::string, std::string> variables, yoke::accelerator_kind kind) {
  surroundings all = with(std::move(variables));
  yoke::machine_parts parts{.cpus = all.machine.cpus()};
  for (int i = 0; i < 2; ++i) parts.accelerators.push_back({.kind = kind, .near = {0, 1, 2, 3}});
  all.machine = topology{std::move(parts)};
  all.running = {"nvidia-persistenced"};
  return all;
}

/// "wrong: what -> mend", a line each.
std::string text_of(const findings& found) {
  std::string text;
  for (const tools::finding& each : found)
    text += fmt::format("{}: {} -> {}\n", each.is_wrong ? "wrong" : "slow", each.what, each.mend);
  return text;
}

void check_only(const surroundings& around, const std::string& what, const std::string& mend,
                const std::string& cus = "") {
  const findings found = audit(around, cus);
  INFO(text_of(found));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0].what, Catch::Contains(what));
  CHECK(found[0].mend == mend);
}

void check_fine(const surroundings& around, const std::string& cus = "") {
  CHECK(text_of(audit(around, cus)).empty());
}

}  // namespace

TEST_CASE("nothing is wrong with settings that agree", "[audit]") {
  check_fine(on("core:4 pu:1"));
  check_fine(with({{"YOKE_CUS", "2x2"}, {"OMP_PLACES", "{0:2}:2:2"}, {"OMP_PROC_BIND", "close,master"}}));
  check_fine(with(
      {{"YOKE_CUS", "4x1"}, {"OMP_NUM_THREADS", "4"}, {"OMP_THREAD_LIMIT", "4"}, {"KMP_BLOCKTIME", "200"}}));
  check_fine(with({{"YOKE_CUS", "2x1+1"}, {"YOKE_DEVICES", "emulated:1"}}));
  check_fine(
      with_gpus({{"YOKE_CUS", "2x1+2"}, {"CUDA_VISIBLE_DEVICES", "1,0"}}, yoke::accelerator_kind::cuda));
}

TEST_CASE("settings of Yoke that are none, or do not fit, are wrong", "[audit]") {
  check_only(with({{"YOKE_CU", "2x1"}}), "did you mean YOKE_CUS?",
             "unset the variable, or spell it as the message says");
  check_only(with({{"YOKE_CUS", "2x"}}), "YOKE_CUS=2x: position 3",
             "export YOKE_CUS=NxM+G, as yoke info proposes");
  check_only(with({{"YOKE_CUS", "3x2"}}), "3x2 needs 6 CPUs", "export YOKE_CUS=2x2");
  check_only(with({{"YOKE_SMT", "2"}}), "YOKE_SMT=2", "unset YOKE_SMT");
  check_only(with({{"YOKE_DEVICES", "emulated"}}), "YOKE_DEVICES=emulated", "unset YOKE_DEVICES");
  check_only(with({{"YOKE_SCHEDULE", "fastest"}}), "YOKE_SCHEDULE=fastest: no such schedule",
             "unset YOKE_SCHEDULE");
  check_only(with({{"YOKE_EMULATED", "memory=much"}}), "YOKE_EMULATED=memory=much", "unset YOKE_EMULATED");
  check_only(with({{"YOKE_PROFILE", ""}}), "YOKE_PROFILE=", "unset YOKE_PROFILE");
  check_only(with({{"YOKE_CHECK", "2"}}), "YOKE_CHECK=2", "unset YOKE_CHECK");
  check_only(with({{"YOKE_DISPLAY_ENV", "yes"}}), "YOKE_DISPLAY_ENV=yes", "unset YOKE_DISPLAY_ENV");
  surroundings untraced = with({{"YOKE_TRACE", "/nowhere/t.json"}});
  untraced.can_trace = false;
  check_only(untraced, "YOKE_TRACE=/nowhere/t.json: no file can be written there", "unset YOKE_TRACE");
  check_only(on("core:4 pu:1"), "--cus 5x1: 5x1 needs 5 CPUs", "export YOKE_CUS=4x1", "5x1");
}

TEST_CASE("places that contradict, or are none, are wrong", "[audit]") {
  check_only(with({{"OMP_PLACES", "{0},{9}"}}), "may not use the CPUs 9", "unset OMP_PLACES");
  check_only(with({{"OMP_PLACES", "{0"}}), "position 3", "unset OMP_PLACES");
  check_only(with({{"OMP_PLACES", "!{0}"}}), "on which libomp 19 aborts", "unset OMP_PLACES");
  check_only(with({{"YOKE_CUS", "2x2"}, {"OMP_PLACES", "cores"}}), "place 0 of OMP_PLACES, {0}, has 1 CPUs",
             "unset OMP_PLACES OMP_PROC_BIND");
}

TEST_CASE("what takes threads, levels or binding from compute units is wrong", "[audit]") {
  check_only(with({{"OMP_NUM_THREADS", "x"}}), "OMP_NUM_THREADS=x: position 1", "unset OMP_NUM_THREADS");
  check_only(with({{"KMP_BLOCKTIME", "99999999999"}}), "KMP_BLOCKTIME=99999999999", "unset KMP_BLOCKTIME");
  check_only(with({{"OMP_PROC_BIND", "False"}}), "OMP_PROC_BIND=False", "export OMP_PROC_BIND=close,master");
  for (const std::string name : {"KMP_AFFINITY", "GOMP_CPU_AFFINITY"})
    check_only(with({{name, "compact"}}), name + "=compact: OpenMP then ignores OMP_PLACES", "unset " + name);
  const std::pair<std::string, std::string> inner{"YOKE_CUS", "2x2"};
  check_only(with({inner, {"OMP_MAX_ACTIVE_LEVELS", "1"}}), "inner teams would have one thread, not 2",
             "unset OMP_MAX_ACTIVE_LEVELS");
  check_only(with({inner, {"OMP_NESTED", "FALSE"}}), "inner teams would have one thread", "unset OMP_NESTED");
  check_only(with({inner, {"OMP_THREAD_LIMIT", "3"}}), "2x2 needs 4 threads", "unset OMP_THREAD_LIMIT");
  for (const std::string name : {"KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS"})
    check_only(with({inner, {name, "3"}}), name + "=3 allows 3: 2x2 needs 4 threads", "unset " + name);
  check_only(with({inner, {"KMP_LIBRARY", "Serial"}}),
             "KMP_LIBRARY=Serial makes each team one thread: 2x2 needs 4 threads", "unset KMP_LIBRARY");
  check_only(with({{"KMP_LIBRARY", "serial"}}), "compute units of all cores need 4 threads",
             "unset KMP_LIBRARY");
  check_fine(with({inner, {"KMP_LIBRARY", "turnaround"}, {"KMP_DEVICE_THREAD_LIMIT", "4"}}));
  check_fine(with({{"YOKE_CUS", "1x1"}, {"KMP_LIBRARY", "serial"}, {"KMP_ALL_THREADS", "1"}}));
  check_fine(with({{"YOKE_CUS", "2x1"}, {"OMP_MAX_ACTIVE_LEVELS", "1"}, {"OMP_NESTED", "false"}}));
}

TEST_CASE("a machine that the environment describes is named", "[audit]") {
  check_only(with({{"HWLOC_SYNTHETIC", "core:4 pu:1"}}),
             "HWLOC_SYNTHETIC=core:4 pu:1: hwloc describes another machine than this one",
             "unset HWLOC_SYNTHETIC");
  check_only(with({{"HWLOC_XMLFILE", "m.xml"}}), "HWLOC_XMLFILE=m.xml: hwloc", "unset HWLOC_XMLFILE");
}

TEST_CASE("what only costs time is told as such", "[audit]") {
  const auto check_slow = [](const surroundings& around, const std::string& what) {
    const findings found = audit(around, "");
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].is_wrong);
    CHECK_THAT(found[0].what, Catch::Contains(what));
  };
  check_slow(with({{"OMP_WAIT_POLICY", "PASSIVE"}}), "threads sleep between regions");
  check_slow(with({{"KMP_BLOCKTIME", "0"}}), "threads sleep at once");
  check_slow(with({{"KMP_HW_SUBSET", "1c"}}), "KMP_HW_SUBSET=1c: OpenMP knows a part of the CPUs alone");
  check_slow(with({{"OMP_DYNAMIC", "TRUE"}}), "OMP_DYNAMIC=TRUE: OpenMP may give regions of a program fewer");
  check_slow(with({{"HWLOC_COMPONENTS", "x86"}}), "by some of its sources alone");
  check_slow(with({{"YOKE_CUS", "2x2"}, {"KMP_HOT_TEAMS_MAX_LEVEL", "1"}}), "created again");
  surroundings small = on("core:4 pu:1");
  small.huge_pages = "never";
  check_slow(small, "transparent huge pages are off");
  surroundings shared = on("core:4 pu:1");
  shared.neighbours = {{7, "sp-mz", {2, 3, 9}}, {8, "bt-mz", {9}}};
  check_slow(shared, "process 7 (sp-mz) also uses Yoke, and may use the CPUs 2,3 too");
}

TEST_CASE("CPUs that a cgroup, Slurm or other ranks take away are wrong", "[audit]") {
  surroundings limited = on("core:4 pu:1");
  limited.cpus_by_quota = 2.5;
  check_only(limited, "the time of 2.5 CPUs, and 4 may be used",
             "taskset -c 0,1 PROGRAM, or ask for CPUs by a cpuset (docker run --cpuset-cpus)");
  limited.cpus_by_quota = 4;
  check_fine(limited);
  check_only(with({{"SLURM_CPUS_PER_TASK", "8"}}), "SLURM_CPUS_PER_TASK=8, and this process may use 4",
             "srun --cpus-per-task=8 --cpu-bind=cores PROGRAM");
  check_only(with({{"SLURM_JOB_ID", "1"}, {"SLURM_JOB_CPUS_PER_NODE", "16(x2)"}}, "core:1 pu:1"),
             "the job has 16 CPUs on this node, this task has one",
             "srun --cpus-per-task=16 --cpu-bind=cores PROGRAM");
  check_only(with({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}), "2 processes of this program share all 4 CPUs",
             "mpirun --map-by slot:PE=2 --bind-to core PROGRAM");
  surroundings bound = with({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  bound.cpus_online = 8;
  check_fine(bound);
  surroundings few = with({{"YOKE_CUS", "4x1"}});
  few.most_processes = 3;
  check_only(few, "ulimit -u is 3: 4 threads are needed", "ulimit -u 1004");
}

TEST_CASE("what ranks of a node take from each other is told once", "[audit]") {
  surroundings first = on("core:4 pu:1");
  first.cpus_online = 8;
  first.mates = {{4, {0, 1}, {0, 1}, {"cuda:0"}}, {5, {2, 3}, {2, 3}, {"cuda:1"}}, {6, {4}, {4}, {"hip:0"}}};
  check_fine(first);
  first.mates[2].cpus = {3, 4};
  check_only(first, "ranks 5 and 6 may both use the CPUs 3",
             "mpirun --map-by slot:PE=1 --bind-to core PROGRAM");
  first.mates[2].cpus = {4};
  first.mates[2].gpus = {"cuda:2", "cuda:0", "cuda:0"};
  check_only(first, "ranks 4 and 6 use the same GPU, cuda:0",
             "set CUDA_VISIBLE_DEVICES for each rank, as srun --gpus-per-task=1 does");
  first.mates = {{0, {0, 4}, {0}, {}}, {1, {0, 4}, {0}, {}}, {2, {1}, {1}, {}}};  // two threads of a core
  check_only(first, "3 ranks on this node have 2 cores together",
             "mpirun -n 2 PROGRAM on this node, or ask for more cores");
  first.place = 1;
  check_fine(first);
  first.place = 0;
  first.variables = {{"SLURM_JOB_ID", "1"}};
  first.mates = {{0, {0, 1}, {0, 1}, {}}, {1, {1, 2, 3}, {1, 2, 3}, {}}};
  check_only(first, "ranks 0 and 1 may both use the CPUs 1",
             "srun --cpus-per-task=2 --cpu-bind=cores PROGRAM");
}

TEST_CASE("lists of visible GPUs that name others than there are are wrong", "[audit]") {
  using enum yoke::accelerator_kind;
  check_only(with_gpus({{"CUDA_VISIBLE_DEVICES", "0,2"}}, cuda), "names 2, the machine has 2",
             "unset CUDA_VISIBLE_DEVICES");
  check_only(with_gpus({{"ROCR_VISIBLE_DEVICES", "1,1"}}, hip), "names 1 twice",
             "unset ROCR_VISIBLE_DEVICES");
  check_only(with_gpus({{"YOKE_CUS", "1x1+1"}, {"CUDA_VISIBLE_DEVICES", ""}}, cuda), "hides all 2 GPUs",
             "unset CUDA_VISIBLE_DEVICES");
  check_only(with_gpus({{"ROCR_VISIBLE_DEVICES", "1"}, {"HIP_VISIBLE_DEVICES", "1"}}, hip), "are both 1",
             "unset HIP_VISIBLE_DEVICES");
  check_fine(with_gpus({{"CUDA_VISIBLE_DEVICES", "GPU-8f2c,MIG-1"}}, cuda));
}

TEST_CASE("GPUs that are not there, and drivers that are not ready, are told", "[audit]") {
  using enum yoke::accelerator_kind;
  check_fine(with({{"YOKE_CUS", "2x1+1"}, {"YOKE_DEVICES", "cuda:0"}}));  // chosen: opening it will tell
  check_only(with({{"YOKE_CUS", "2x1+1"}}), "1 GPU compute units, and 0 GPUs on the PCI bus",
             "export YOKE_DEVICES=emulated:1, or ask for fewer");
  surroundings cold = with_gpus({}, cuda);
  cold.running.clear();
  check_only(cold, "without persistence mode", "sudo nvidia-smi -pm 1");
  check_only(with_gpus({{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"}}, cuda), "no MPS server runs",
             "nvidia-cuda-mps-control -d");
  surroundings locked = with_gpus({}, hip);
  locked.most_locked = 65536;
  check_only(locked, "ulimit -l is 64 KiB", "ulimit -l unlimited");
}
