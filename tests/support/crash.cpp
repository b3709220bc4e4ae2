#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <execinfo.h>
#include <mutex>
#include <signal.h>
#include <support/crash.hpp>
#include <sys/syscall.h>
#include <unistd.h>

namespace support {

namespace {

/// Read by a signal handler, which may find one half written: the other one is whole.
struct stages {
  std::array<std::array<char, 512>, 2> texts{};
  std::atomic<std::size_t> last{0};
  std::mutex lock;
};
stages all;

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

void print(const char* text) noexcept {
  // Nothing can be done about a stderr that cannot be written while the process is dying.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void print(long number) noexcept {
  std::array<char, 24> digits{};
  std::size_t at = digits.size() - 1;
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  print(digits.data() + at);
}

/// The signal comes again, and ends the process as it would have without us.
void on_crash(int signal, siginfo_t* info, void*) {
  print("\nended by signal ");
  print(long{signal});
  if (info != nullptr && signal == SIGSEGV && info->si_code > 0) {
    print(" at an address of page ");
    print(static_cast<long>(reinterpret_cast<std::uintptr_t>(info->si_addr) >> 12));
  }
  print(" in thread ");
  print(static_cast<long>(syscall(SYS_gettid)));
  print(" of process ");
  print(static_cast<long>(getpid()));
  print("; stage: ");
  print(all.texts[all.last.load(std::memory_order_acquire)].data());
  print("\ncalls (addr2line -Cfie PROGRAM ADDRESS says which):\n");
  std::array<void*, 64> calls{};
  backtrace_symbols_fd(calls.data(), backtrace(calls.data(), static_cast<int>(calls.size())), STDERR_FILENO);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void tell_of_crashes() {
  std::array<void*, 1> first{};
  backtrace(first.data(), 1);  // the first call loads a library, which a handler must not
  struct sigaction action{};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int each : signals) {
    struct sigaction before{};
    // A sanitizer tells more.
    if (sigaction(each, nullptr, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
        before.sa_handler == SIG_DFL)
      sigaction(each, &action, nullptr);
  }
}

void set_stage(std::string_view what) {
  const std::lock_guard guard{all.lock};
  const std::size_t next = 1 - all.last.load(std::memory_order_relaxed);
  std::array<char, 512>& text = all.texts[next];
  const std::size_t length = std::min(what.size(), text.size() - 1);
  std::memcpy(text.data(), what.data(), length);
  text[length] = '\0';
  all.last.store(next, std::memory_order_release);
}

}  // namespace support
