// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Writing that a signal would end.

#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace yoke::detail {

/// For its life what ends a program by a signal (a reader that has gone, a file over its limit) is an error
/// of this thread's writing, whatever the program does about the signals.
class errors_not_signals {
 public:
  errors_not_signals() {
    sigset_t pending;
    sigpending(&pending);
    sigset_t held;
    sigemptyset(&held);
    sigemptyset(&own_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      sigaddset(&held, signal);
      if (sigismember(&pending, signal) == 0) sigaddset(&own_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~errors_not_signals() {
    const std::timespec at_once{};
    while (sigtimedwait(&own_, nullptr, &at_once) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  errors_not_signals(const errors_not_signals&) = delete;
  errors_not_signals& operator=(const errors_not_signals&) = delete;

 private:
  sigset_t own_{};  ///< that were not there before
  sigset_t before_{};
};

}  // namespace yoke::detail
