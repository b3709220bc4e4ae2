#pragma once
/// Memory of records: one size, from blocks, for who tells of tasks and those who end them are different threads.

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <yoke/spin.hpp>

namespace yoke::detail {

/// Thread-safe. Its memory goes with the last record, and `leave`.
class record_pool {
 public:
  struct leave {
    void operator()(record_pool* of) const noexcept {
      std::unique_lock guard{of->lock_, std::defer_lock};
      lock_soon(guard);
      of->is_left_ = true;
      of->go(guard);
    }
  };

  /// All are of one size, of at least a pointer.
  void* take(std::size_t bytes) {
    std::unique_lock guard{lock_, std::defer_lock};
    lock_soon(guard);
    if (free_ == nullptr) grow(bytes);
    ++n_taken_;
    return std::exchange(free_, free_->next);
  }
  void give(void* record) noexcept {
    std::unique_lock guard{lock_, std::defer_lock};
    lock_soon(guard);
    free_ = new (record) free_record{free_};
    --n_taken_;
    go(guard);
  }

 private:
  struct free_record {
    free_record* next;
  };
  static constexpr std::size_t in_block = 64;

  ~record_pool() = default;
  void go(std::unique_lock<std::mutex>& guard) noexcept {
    if (!is_left_ || n_taken_ > 0) return;
    guard.unlock();
    delete this;
  }
  void grow(std::size_t bytes) {
    constexpr std::size_t line = alignof(std::max_align_t);
    const std::size_t size = (bytes + line - 1) / line * line;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size * in_block));
    for (std::size_t i = in_block; i-- > 0;)
      free_ = new (blocks_.back().get() + i * size) free_record{free_};
  }

  std::mutex lock_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  free_record* free_ = nullptr;
  std::size_t n_taken_ = 0;
  bool is_left_ = false;
};

template <class T>
class record_allocator {
 public:
  using value_type = T;

  explicit record_allocator(record_pool& of) : of_{&of} {}
  template <class U>
  record_allocator(const record_allocator<U>& other) : of_{other.of_} {}

  /// Requires 1.
  T* allocate(std::size_t) { return static_cast<T*>(of_->take(sizeof(T))); }
  void deallocate(T* record, std::size_t) noexcept { of_->give(record); }
  template <class U>
  friend bool operator==(const record_allocator& a, const record_allocator<U>& b) {
    return a.of_ == b.of_;
  }

 private:
  template <class U>
  friend class record_allocator;

  record_pool* of_;
};

}  // namespace yoke::detail
