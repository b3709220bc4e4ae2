#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <yoke/descriptor.hpp>

namespace yoke::detail {

int above_standard_streams(int descriptor) noexcept {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int problem = errno;
  close(descriptor);
  errno = problem;
  return above;
}

}  // namespace yoke::detail
