#include <atomic>
#include <new>
#include <pthread.h>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

constinit std::atomic<bool> forked_child{false};

void watch_forks() {
  [[maybe_unused]] static const int watching =
      pthread_atfork(nullptr, nullptr, [] { forked_child.store(true, std::memory_order_relaxed); });
}

void throw_in_forked_child() {
  throw usage_error{
      "this process was forked from one that uses Yoke: threads, OpenMP's places and devices stay with the "
      "parent; fork before the first runtime is made, or start a program in the child (exec)"};
}

void abandon(const void* object) noexcept {
  struct link {
    const void* object;
    const link* next;
  };
  static std::atomic<const link*> all{nullptr};
  all.store(new (std::nothrow) link{object, all.load()});
}

}  // namespace yoke::detail
