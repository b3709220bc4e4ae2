// libomp writes into /dev/shm/__KMP_REGISTERED_LIB_<process>_<user> where its flag is, and takes the file
// away when it ends. A process that was killed in between leaves it. The next of the same number reads it:
// one that was made and never written ends it with SIGBUS where it is empty, and "found unknown library
// already initialized" where it is blank.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <yoke/openmp.hpp>

namespace yoke::openmp {

void forget_dead_namesake() noexcept {
  char name[64];  // noexcept: no string that might grow
  *fmt::format_to_n(name, sizeof name - 1, "/dev/shm/__KMP_REGISTERED_LIB_{}_{}", getpid(), getuid()).out =
      '\0';
  const int file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);  // a FIFO does not hold it up
  if (file < 0) return;
  char first = '\0';
  const bool is_written = read(file, &first, 1) == 1 && first != '\0';
  close(file);
  if (!is_written) unlink(name);
}

}  // namespace yoke::openmp
