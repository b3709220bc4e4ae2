#pragma once
/// A limit of the system on this process, for the life of one object.

#include <cstddef>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace support {

class limit {
 public:
  using resource = decltype(RLIMIT_FSIZE);

  limit(resource of, std::size_t most) : of_{of} {
    getrlimit(of_, &before_);
    rlimit lower = before_;
    lower.rlim_cur = most;
    setrlimit(of_, &lower);
  }
  ~limit() { setrlimit(of_, &before_); }
  limit(const limit&) = delete;
  limit& operator=(const limit&) = delete;

 private:
  resource of_;
  rlimit before_{};
};

/// Of the process now, reserved ranges included.
inline std::size_t bytes_of_addresses() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace support
