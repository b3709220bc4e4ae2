#include "fault_handler.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <signal.h>
#include <unistd.h>

namespace yoke::emulated {

namespace {

/// Read by a signal handler: fixed storage and lock-free atomics only. `first` is published last.
struct slot {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> first{0};
  std::atomic<std::uintptr_t> last{0};
  std::array<char, 32> device{};
};
std::array<slot, 64> slots;
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

struct sigaction previous;

const slot* find(std::uintptr_t address) noexcept {
  for (const slot& each : slots) {
    const std::uintptr_t first = each.first.load(std::memory_order_acquire);
    if (first != 0 && address >= first && address < each.last.load(std::memory_order_relaxed)) return &each;
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

void report(std::uintptr_t address, const char* device) {
  message text;
  text.add("yoke: host code touched ");
  text.add_hex(address);
  text.add(", an address in the memory of ");
  text.add(device);
  text.add(
      ". Addresses from placement::mem_addr and alloc on a GPU are for kernels and copies: in a kernel go "
      "through yoke::device_ptr, on the host migrate or copy the region to the host first.\n");
  text.print();
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (const slot* hit = find(address)) {
    report(address, hit->device.data());
    // The access is repeated on return and meets what was there before us: the default, or a sanitizer.
    sigaction(SIGSEGV, &previous, nullptr);
    return;
  }
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    sigaction(SIGSEGV, &previous, nullptr);
  }
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

}  // namespace

guarded_range::guarded_range(std::uintptr_t first, std::uintptr_t last, const std::string& device)
    : slot_{-1} {
  install_once();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    const std::size_t length = std::min(device.size(), slots[i].device.size() - 1);
    std::memcpy(slots[i].device.data(), device.data(), length);
    slots[i].device[length] = '\0';
    slots[i].last.store(last, std::memory_order_relaxed);
    slots[i].first.store(first, std::memory_order_release);
    slot_ = static_cast<int>(i);
    return;
  }
}

guarded_range::~guarded_range() {
  if (slot_ < 0) return;
  slots[static_cast<std::size_t>(slot_)].first.store(0, std::memory_order_release);
  slots[static_cast<std::size_t>(slot_)].taken.store(false, std::memory_order_release);
}

bool is_guarded(const void* address) noexcept {
  return find(reinterpret_cast<std::uintptr_t>(address)) != nullptr;
}

}  // namespace yoke::emulated
