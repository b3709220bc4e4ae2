#include <cerrno>
#include <support/catch.hpp>
#include <support/closed_stream.hpp>

#include <yoke/descriptor.hpp>

using yoke::detail::above_standard_streams;

TEST_CASE("a file that took the number of a closed standard stream gets another", "[descriptor]") {
  int opened = -1, above = -1, flags = -1;
  bool is_free = false;
  {
    const support::closed_stream input{STDIN_FILENO};
    opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
    above = above_standard_streams(opened);
    is_free = input.is_free();
    flags = fcntl(above, F_GETFD);
    close(above);
  }
  CHECK(opened == STDIN_FILENO);
  CHECK(above > STDERR_FILENO);
  CHECK(is_free);
  CHECK(flags == FD_CLOEXEC);
}

TEST_CASE("a file above the standard streams keeps its number, and a failure its errno", "[descriptor]") {
  const int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(above_standard_streams(opened) == opened);
  close(opened);
  errno = EMFILE;
  CHECK(above_standard_streams(-1) == -1);
  CHECK(errno == EMFILE);
}
