#include "program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <yoke/error.hpp>

namespace npb {

namespace {

/// Why print_result failed for the first time.
int stdout_problem = 0;

/// A closed stream becomes one that cannot be used, so that no file takes its number.
void hold_standard_streams() noexcept {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) != -1) continue;
    [[maybe_unused]] const int held = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Where stderr cannot be written either, the exit status alone has to do.
void complain(const std::string& program, const char* what) noexcept {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), what);
}

/// What was printed may still be in a buffer.
void check_stdout() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw yoke::error{fmt::format("stdout cannot be written ({}): what was printed there is lost",
                                std::strerror(stdout_problem != 0 ? stdout_problem : errno))};
}

}  // namespace

void print_result(std::string_view text) noexcept {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  if (stdout_problem == 0) stdout_problem = errno;
}

int run_main(const std::string& program, const std::function<int()>& body) noexcept {
  hold_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int status = body();
    check_stdout();
    return status;
  } catch (const yoke::config_error& failure) {
    complain(program, failure.what());
    return 2;
  } catch (const std::exception& failure) {
    complain(program, failure.what());
    return 1;
  }
}

}  // namespace npb
