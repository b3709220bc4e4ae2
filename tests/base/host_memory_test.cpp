#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <support/catch.hpp>
#include <unistd.h>

#include <yoke/host_memory.hpp>

namespace {

constexpr std::size_t kibi = 1024, unlimited = std::numeric_limits<std::size_t>::max();

/// Files of /proc and /sys as a machine has them.
class machine {
 public:
  machine() { write("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n"); }
  ~machine() { std::filesystem::remove_all(root_); }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  machine& write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path{root_ + path}.parent_path());
    std::ofstream{root_ + path} << text;
    return *this;
  }
  yoke::host_memory free(std::size_t addresses = unlimited, std::size_t data = unlimited) const {
    return yoke::detail::free_host_memory(root_, addresses, data);
  }

 private:
  std::string root_ =
      (std::filesystem::temp_directory_path() / ("yoke-memory-" + std::to_string(getpid()))).string();
};

}  // namespace

TEST_CASE("without limits the machine's available memory is free", "[memory]") {
  CHECK(machine{}.free().free == 4000 * kibi);
  CHECK(machine{}.free().addresses == unlimited);
  CHECK_FALSE(machine{}.free().is_limit);
}

TEST_CASE("a control group and all that it is in limit memory, without what can be reclaimed", "[memory]") {
  machine under;
  under.write("/proc/self/cgroup", "0::/a/b\n")
      .write("/sys/fs/cgroup/a/b/memory.max", "max\n")
      .write("/sys/fs/cgroup/a/b/memory.current", "7\n")
      .write("/sys/fs/cgroup/a/memory.max", "900000\n")
      .write("/sys/fs/cgroup/a/memory.current", "500000\n")
      .write("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 100000\n");
  CHECK(under.free().free == 500000);
  under.write("/sys/fs/cgroup/a/b/memory.max", "207\n");
  CHECK(under.free().free == 200);
  under.write("/sys/fs/cgroup/a/b/memory.max", "5\n");
  CHECK(under.free().free == 0);
}

TEST_CASE("control groups of version 1 limit memory, also where a container sees its own alone", "[memory]") {
  machine under;
  under.write("/proc/self/cgroup", "5:cpu:/x\n4:blkio,memory:/docker/1\n")
      .write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n")
      .write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  CHECK(under.free().free == 2000);
}

TEST_CASE("limits of data and addresses count from what the process has", "[memory]") {
  machine under;
  under.write("/proc/self/status", "Name: it\nVmSize:\t  300 kB\nVmData:\t 100 kB\n");
  const yoke::host_memory found = under.free(1000 * kibi, 900 * kibi);
  CHECK(found.free == 800 * kibi);
  CHECK(found.is_limit);
  CHECK(found.addresses == 700 * kibi);
  CHECK_FALSE(under.free(1000 * kibi, 8000 * kibi).is_limit);
}

TEST_CASE("this machine has memory free", "[memory]") { CHECK(yoke::free_host_memory().free > 0); }

TEST_CASE("a group whose path is damaged counts as the topmost one", "[memory]") {
  machine damaged;
  damaged.write("/proc/self/cgroup", "0::a\n0:\n\n::::\n")
      .write("/sys/fs/cgroup/memory.max", "900\n")
      .write("/sys/fs/cgroup/memory.current", "500\n");
  CHECK(damaged.free().free == 400);
}
