#include "../../runtime/src/in_use.hpp"

#include <functional>
#include <optional>
#include <string>
#include <support/catch.hpp>
#include <support/fake_device.hpp>
#include <support/scratch_folder.hpp>
#include <support/variable.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <yoke/yoke.hpp>

using yoke::detail::claim;
using yoke::detail::in_use_table;

namespace {

/// A GPU CU on a device that is not emulated, by the number that this process has for it.
class gpu_unit {
 public:
  gpu_unit(const std::string& kind, int ordinal) : fake_{ordinal, kind} { fake_.pass_for_a_gpu(); }

  const yoke::compute_units& units() const { return units_; }

 private:
  support::fake_device fake_;
  std::vector<yoke::device*> devices_{&fake_};
  std::vector<yoke::space_id> spaces_{yoke::space_id{1}};
  yoke::compute_units units_{{0, 0, 1}, std::vector<yoke::place>{{}}, devices_, spaces_};
};

/// Another process that uses these, until it is let go.
class neighbour {
 public:
  neighbour(const std::string& path, const std::vector<long>& bytes)
      : neighbour{path, [&](in_use_table& table) { table.take(bytes); }} {}
  neighbour(const std::string& path, const std::function<void(in_use_table&)>& use) {
    int ready[2], leave[2];
    REQUIRE(pipe(ready) == 0);
    REQUIRE(pipe(leave) == 0);
    process_ = fork();
    if (process_ == 0) {
      close(leave[1]);
      in_use_table table{path};
      use(table);
      char byte = 'x';
      _exit(write(ready[1], &byte, 1) == 1 && read(leave[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(ready[1]);
    close(leave[0]);
    char byte = 0;
    REQUIRE(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    leave_ = leave[1];
  }
  ~neighbour() { end(); }
  neighbour(const neighbour&) = delete;
  neighbour& operator=(const neighbour&) = delete;

  int process() const { return process_; }
  void end() {
    if (leave_ < 0) return;
    close(leave_);
    leave_ = -1;
    waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_ = -1;
  int leave_ = -1;
};

}  // namespace

TEST_CASE("what another process uses is named with its number, while it lives", "[in-use]") {
  const support::scratch_folder folder;
  neighbour other{folder / "in-use", {2, 3}};
  in_use_table table{folder / "in-use"};
  const std::vector<long> mine{1, 2}, theirs{2};
  CHECK(table.take(mine) == std::map<long, int>{{2, other.process()}});
  table.give_back(mine);
  other.end();
  CHECK(table.take(mine).empty());
}

TEST_CASE("what was given back is free for others", "[in-use]") {
  const support::scratch_folder folder;
  in_use_table table{folder / "in-use"};
  const std::vector<long> twice{7}, once{8};
  table.take(twice);
  table.take(twice);  // another runtime of this process
  table.take(once);
  table.give_back(twice);
  table.give_back(once);
  const pid_t child = fork();
  if (child == 0) {
    in_use_table of_child{folder / "in-use"};
    const std::vector<long> both{7, 8};
    const std::map<long, int> used = of_child.take(both);
    _exit(used.size() == 1 && used.contains(7) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a runtime says in one line that its CPUs are in use, and works", "[in-use]") {
  const support::scratch_folder folder;
  yoke::runtime rt{{.cus = "1x1", .devices = "none"}};
  const int cpu = rt.units().all().front().cpus.front();
  const neighbour other{folder / "in-use", {cpu}};
  in_use_table table{folder / "in-use"};
  const claim mine{rt.units(), table};
  CHECK_THAT(mine.note(), Catch::StartsWith("CPU " + std::to_string(cpu) + " is in use by process " +
                                            std::to_string(other.process())));
  CHECK(mine.note().find('\n') == std::string::npos);
}

TEST_CASE("a GPU is the same one whatever number another process has for it", "[in-use]") {
  const auto [kind, name] = GENERATE(table<std::string, const char*>(
      {{"cuda", "CUDA_VISIBLE_DEVICES"}, {"hip", "HIP_VISIBLE_DEVICES"}, {"hip", "ROCR_VISIBLE_DEVICES"}}));
  CAPTURE(name);
  const support::scratch_folder folder;
  const support::variable mine{name, "5,3"};
  std::optional<gpu_unit> theirs;
  std::optional<claim> held;  // in the other process alone
  const neighbour other{folder / "in-use", [&](in_use_table& table) {
                          yoke::detail::set_environment(name, "3");
                          theirs.emplace(kind, 0);
                          held.emplace(theirs->units(), table);
                        }};
  in_use_table table{folder / "in-use"};
  const gpu_unit first{kind, 0}, second{kind, 1}, beyond{kind, 2};
  CHECK(claim(first.units(), table).note().empty());
  CHECK(claim(beyond.units(), table).note().empty());
  CHECK_THAT(claim(second.units(), table).note(),
             Catch::StartsWith(kind + ":1 is in use by process " + std::to_string(other.process())));
}

TEST_CASE("a GPU that two lists have chosen is the one that the first list names", "[in-use]") {
  const support::scratch_folder folder;
  const support::variable by_driver{"ROCR_VISIBLE_DEVICES", "2,3"}, by_hip{"HIP_VISIBLE_DEVICES", "1"};
  std::optional<gpu_unit> theirs;
  std::optional<claim> held;
  const neighbour other{folder / "in-use", [&](in_use_table& table) {
                          yoke::detail::unset_environment("HIP_VISIBLE_DEVICES");
                          yoke::detail::set_environment("ROCR_VISIBLE_DEVICES", "3");
                          theirs.emplace("hip", 0);
                          held.emplace(theirs->units(), table);
                        }};
  in_use_table table{folder / "in-use"};
  CHECK_THAT(claim(gpu_unit{"hip", 0}.units(), table).note(), Catch::StartsWith("hip:0 is in use"));
  CHECK(claim(gpu_unit{"cuda", 3}.units(), table).note().empty());
}

TEST_CASE("emulated devices are nobody else's", "[in-use]") {
  const support::scratch_folder folder;
  support::fake_device fake;
  const std::vector<yoke::device*> devices{&fake};
  const std::vector<yoke::space_id> spaces{yoke::space_id{1}};
  const yoke::compute_units units{{0, 0, 1}, std::vector<yoke::place>{{}}, devices, spaces};
  std::optional<claim> held;
  const neighbour other{folder / "in-use", [&](in_use_table& table) { held.emplace(units, table); }};
  in_use_table table{folder / "in-use"};
  CHECK(claim(units, table).note().empty());
}

TEST_CASE("without a file nobody knows of anybody, and nothing fails", "[in-use]") {
  const std::vector<long> some{0, 1};
  in_use_table table{"/dev/null/in-use"};
  CHECK(table.take(some).empty());
  table.give_back(some);
}
