#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <yoke/told_faults.hpp>

namespace yoke::detail {

/// Read by a signal handler: never freed, and lock-free atomics only. `first` is published last.
struct told_range {
  std::atomic<std::uintptr_t> first{0};  ///< 0: says nothing
  std::atomic<std::uintptr_t> last{0};
  std::atomic<bool> lifts{false};
  std::array<char, 401> told{};
  told_range* next = nullptr;       ///< of its kind, published with the head
  told_range* next_free = nullptr;  ///< under the lock
  touched kind = touched::device_address;
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

/// Of one kind. Constant from the start and without end, as statics of a program may outlive it.
struct told_ranges {
  std::atomic<told_range*> head{nullptr};
  told_range* free = nullptr;
  std::array<told_range, 8> first_ones{};  ///< so that a plug-in with few of them leaves no memory behind
  std::size_t used = 0;
};
struct all_ranges {
  std::mutex lock;
  std::array<told_ranges, 2> kinds;
};
constinit all_ranges all;

struct sigaction previous;

told_ranges& of_kind(touched kind) noexcept { return all.kinds[static_cast<std::size_t>(kind)]; }

const told_range* find(touched kind, std::uintptr_t address) noexcept {
  for (const told_range* each = of_kind(kind).head.load(std::memory_order_acquire); each != nullptr;
       each = each->next) {
    const std::uintptr_t first = each->first.load(std::memory_order_acquire);
    if (first != 0 && address >= first && address < each->last.load(std::memory_order_relaxed)) return each;
  }
  return nullptr;
}

/// A message put together without allocation, as a signal handler must.
class message {
 public:
  void add(const char* text) {
    while (*text != '\0' && length_ < text_.size()) text_[length_++] = *text++;
  }
  void add_hex(std::uintptr_t value) {
    add("0x");
    int shift = 60;
    while (shift > 0 && (value >> shift) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) {
      const char digit[] = {"0123456789abcdef"[(value >> shift) & 15], '\0'};
      add(digit);
    }
  }
  void print() const {
    // Nothing can be done about a stderr that cannot be written while the process is dying.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_.data(), length_);
  }

 private:
  std::array<char, 512> text_{};
  std::size_t length_ = 0;
};

void report(std::uintptr_t address, const char* told) {
  message text;
  text.add("yoke: host code touched ");
  text.add_hex(address);
  text.add(told);
  text.add("\n");
  text.print();
}

/// As the system calls a handler: once where that was asked for, with the signals blocked that were named.
void call_handler(int signal, siginfo_t* info, void* context) {
  const struct sigaction to = previous;
  if ((to.sa_flags & SA_RESETHAND) != 0) previous = {};
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, &to.sa_mask, &blocked);
  if ((to.sa_flags & SA_SIGINFO) != 0) {
    to.sa_sigaction(signal, info, context);
  } else {
    to.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

/// A signal that was sent does not come again by itself, as a fault does when the access is repeated.
void send_again(int signal, siginfo_t* info) {
  syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info);
}

/// sa_handler and sa_sigaction are one.
void pass_on(int signal, siginfo_t* info, void* context) {
  const bool sent = info->si_code <= 0;
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return call_handler(signal, info, context);
  if (sent && previous.sa_handler == SIG_IGN) return;
  sigaction(SIGSEGV, &previous, nullptr);
  if (sent) send_again(signal, info);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  // Of a signal that was sent there is no address: its bytes say who sent it.
  const told_range* hit = info->si_code > 0 ? find(touched::device_address, address) : nullptr;
  if (hit == nullptr && info->si_code > 0) hit = find(touched::host_copy, address);
  if (hit == nullptr) return pass_on(signal, info, context);
  report(address, hit->told.data());
  // The access is repeated on return and meets what was there before us: the default, or a sanitizer.
  sigaction(SIGSEGV, &previous, nullptr);
}

/// Taken back at the end, unless another handler has come on top: a plug-in that is unloaded takes our code
/// with it.
struct installed_handler {
  installed_handler() {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous);
    // A child has none of Yoke, and its destructors may go on with what the parent has placed elsewhere.
    pthread_atfork(nullptr, nullptr, lift_guards);
  }
  ~installed_handler() {
    struct sigaction present{};
    sigaction(SIGSEGV, nullptr, &present);
    if (present.sa_sigaction == on_fault) sigaction(SIGSEGV, &previous, nullptr);
  }
  installed_handler(const installed_handler&) = delete;
  installed_handler& operator=(const installed_handler&) = delete;
};

void install_once() { static const installed_handler once; }

/// Null without memory.
told_range* take(touched kind) {
  told_ranges& in = of_kind(kind);
  const std::lock_guard guard{all.lock};
  if (in.free != nullptr) return std::exchange(in.free, in.free->next_free);
  told_range* const made =
      in.used < in.first_ones.size() ? &in.first_ones[in.used++] : new (std::nothrow) told_range;
  if (made == nullptr) return nullptr;
  made->kind = kind;
  made->next = in.head.load(std::memory_order_relaxed);
  in.head.store(made, std::memory_order_release);
  return made;
}

}  // namespace

told_faults::told_faults(touched kind, std::uintptr_t first, std::uintptr_t last, std::string_view told,
                         bool lifts)
    : range_{take(kind)} {
  install_once();
  if (range_ == nullptr) return;
  tell(told);
  range_->lifts.store(lifts, std::memory_order_relaxed);
  range_->last.store(last, std::memory_order_relaxed);
  range_->first.store(first, std::memory_order_release);
}

told_faults::~told_faults() {
  if (range_ == nullptr) return;
  range_->first.store(0, std::memory_order_release);
  const std::lock_guard guard{all.lock};
  range_->next_free = std::exchange(of_kind(range_->kind).free, range_);
}

void told_faults::tell(std::string_view told) noexcept {
  if (range_ == nullptr) return;
  const std::size_t length = std::min(told.size(), range_->told.size() - 1);
  std::memcpy(range_->told.data(), told.data(), length);
  range_->told[length] = '\0';
}

bool is_told(touched kind, const void* address) noexcept {
  return find(kind, reinterpret_cast<std::uintptr_t>(address)) != nullptr;
}

void lift_guards() noexcept {
  for (told_range* each = of_kind(touched::host_copy).head.load(std::memory_order_acquire); each != nullptr;
       each = each->next) {
    const std::uintptr_t first = each->first.load(std::memory_order_acquire);
    if (first == 0 || !each->lifts.load(std::memory_order_relaxed)) continue;
    mprotect(reinterpret_cast<void*>(first), each->last.load(std::memory_order_relaxed) - first,
             PROT_READ | PROT_WRITE);
  }
}

}  // namespace yoke::detail
