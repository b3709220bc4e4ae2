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
#include <yoke/text.hpp>

namespace bench {

namespace {

/// A closed stream becomes one that cannot be used, so that no file takes its number.
void hold_standard_streams() noexcept {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) != -1) continue;
    [[maybe_unused]] const int held = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Where stderr cannot be written either, the exit status alone has to do.
void complain(const std::string& program, const char* what) noexcept {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), yoke::detail::printable_lines(what).c_str());
}

}  // namespace

void result_printer::print(std::string_view text) noexcept {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  if (problem_ == 0) problem_ = errno;
}

void result_printer::check() const {
  // What others printed may still be in a buffer.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw yoke::error{fmt::format("stdout cannot be written ({}): what was printed there is lost",
                                std::strerror(problem_ != 0 ? problem_ : errno))};
}

int run_main(const std::string& program, const std::function<int(result_printer&)>& body) noexcept {
  hold_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  try {
    result_printer results;
    const int status = body(results);
    results.check();
    return status;
  } catch (const yoke::config_error& failure) {
    complain(program, failure.what());
    return 2;
  } catch (const std::exception& failure) {
    complain(program, failure.what());
    return 1;
  }
}

}  // namespace bench
