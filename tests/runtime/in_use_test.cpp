#include "../../runtime/src/in_use.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <support/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <yoke/yoke.hpp>

using yoke::detail::claim;
using yoke::detail::in_use_table;

namespace {

class scratch_file {
 public:
  scratch_file() {
    std::string name = (std::filesystem::temp_directory_path() / "yoke-in-use-XXXXXX").string();
    close(mkstemp(name.data()));
    path_ = name;
  }
  ~scratch_file() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Another process that uses these, until it is let go.
class neighbour {
 public:
  neighbour(const std::string& path, const std::vector<long>& bytes) {
    int ready[2], leave[2];
    REQUIRE(pipe(ready) == 0);
    REQUIRE(pipe(leave) == 0);
    process_ = fork();
    if (process_ == 0) {
      close(leave[1]);
      in_use_table table{path};
      table.take(bytes);
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
  const scratch_file file;
  neighbour other{file.path(), {2, 3}};
  in_use_table table{file.path()};
  const std::vector<long> mine{1, 2}, theirs{2};
  CHECK(table.take(mine) == std::map<long, int>{{2, other.process()}});
  table.give_back(mine);
  other.end();
  CHECK(table.take(mine).empty());
}

TEST_CASE("what was given back is free for others", "[in-use]") {
  const scratch_file file;
  in_use_table table{file.path()};
  const std::vector<long> twice{7}, once{8};
  table.take(twice);
  table.take(twice);  // another runtime of this process
  table.take(once);
  table.give_back(twice);
  table.give_back(once);
  const pid_t child = fork();
  if (child == 0) {
    in_use_table of_child{file.path()};
    const std::vector<long> both{7, 8};
    const std::map<long, int> used = of_child.take(both);
    _exit(used.size() == 1 && used.contains(7) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a runtime says in one line that its CPUs are in use, and works", "[in-use]") {
  const scratch_file file;
  yoke::runtime rt{{.cus = "1x1", .devices = "none"}};
  const int cpu = rt.units().all().front().cpus.front();
  const neighbour other{file.path(), {cpu}};
  in_use_table table{file.path()};
  const claim mine{rt.units(), table};
  CHECK_THAT(mine.note(), Catch::StartsWith("CPU " + std::to_string(cpu) + " is in use by process " +
                                            std::to_string(other.process())));
  CHECK(mine.note().find('\n') == std::string::npos);
}

TEST_CASE("without a file nobody knows of anybody, and nothing fails", "[in-use]") {
  const std::vector<long> some{0, 1};
  in_use_table table{"/nonexistent/in-use"};
  CHECK(table.take(some).empty());
  table.give_back(some);
}
