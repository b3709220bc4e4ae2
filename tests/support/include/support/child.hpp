#pragma once
/// Test cases that end their process, run in one of their own and seen from outside.

#include "catch.hpp"

#include <array>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <yoke/error.hpp>

namespace support {

struct ended_child {
  int status = 0;
  std::string message;  ///< what it wrote to stderr
};

/// Runs one test case of this program, a hidden one, in a process of its own.
inline ended_child run_child(const char* test_case) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(ends[1], STDERR_FILENO);
    execl("/proc/self/exe", "child", test_case, nullptr);
    _exit(1);
  }
  close(ends[1]);
  ended_child ended;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) {
    ended.message.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

/// For assertions in what is noexcept: the child writes the message to stderr and exits with `status`.
inline constexpr int assertion_status = 9;
inline void exit_at_assertions() {
  yoke::detail::set_assertion_handler([](const std::string& message) {
    static_cast<void>(!write(STDERR_FILENO, message.data(), message.size()));
    _exit(assertion_status);
  });
}

}  // namespace support
