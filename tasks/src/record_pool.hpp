#pragma once
/// Memory of records: one size, from a block, for who tells of tasks and those who end them are different
/// threads.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <yoke/detail/spin.hpp>

namespace yoke::detail {

/// Thread-safe. So many stay here; where more are taken at once these are the heap's. It goes with the last
/// record, and `leave`.
class record_pool {
 public:
  struct leave {
    void operator()(record_pool* of) const noexcept { of->close(); }
  };

  record_pool() = default;
  record_pool(const record_pool&) = delete;
  record_pool& operator=(const record_pool&) = delete;

  /// Whose records they are, told before the first is taken: each would have to count otherwise.
  std::weak_ptr<void> owner{};

  /// All are of one size, of at least a pointer.
  void* take(std::size_t bytes) {
    {
      std::unique_lock guard{lock_, std::defer_lock};
      lock_soon(guard);
      if (block_ == nullptr) make_block(bytes);
      if (free_ == nullptr) free_ = given_.exchange(nullptr, std::memory_order_acquire);
      if (free_ != nullptr) return std::exchange(free_, free_->next);
      if (unused_ != end_) return std::exchange(unused_, unused_ + size_);
    }
    void* const record = ::operator new(bytes);
    n_out_.fetch_add(1, std::memory_order_relaxed);
    return record;
  }
  /// Without the lock: who tells of tasks would wait for those who end them.
  void give(void* record) noexcept {
    if (const auto* const at = static_cast<std::byte*>(record);
        std::less<>{}(at, block_.get()) || !std::less<>{}(at, end_)) {
      ::operator delete(record);
      return count_out(-1);
    }
    auto* const made = new (record) free_record{given_.load(std::memory_order_relaxed)};
    do {
      if (made->next == &closed_) return count_out(-1);
    } while (!given_.compare_exchange_weak(made->next, made, std::memory_order_acq_rel));
  }

 private:
  struct free_record {
    free_record* next;
  };
  /// The system gives the memory of those that are used.
  static constexpr std::size_t in_block = 16384;

  ~record_pool() = default;
  /// From here on it is counted what is given. All of the block are counted as taken first, so that who gives
  /// one meanwhile does not find the last.
  void close() noexcept {
    if (block_ != nullptr) n_out_ += in_block;
    std::ptrdiff_t n_here = block_ == nullptr ? 0 : (end_ - unused_) / static_cast<std::ptrdiff_t>(size_);
    for (const free_record* each = free_; each != nullptr; each = each->next) ++n_here;
    for (const free_record* each = given_.exchange(&closed_); each != nullptr; each = each->next) ++n_here;
    count_out(-n_here - 1);
  }
  void count_out(std::ptrdiff_t by) noexcept {
    if (n_out_.fetch_add(by) + by == 0) delete this;
  }
  void make_block(std::size_t bytes) {
    constexpr std::size_t line = alignof(std::max_align_t);
    size_ = (bytes + line - 1) / line * line;
    block_ = std::make_unique_for_overwrite<std::byte[]>(size_ * in_block);
    unused_ = block_.get();
    end_ = unused_ + size_ * in_block;
  }

  std::mutex lock_;
  std::unique_ptr<std::byte[]> block_{};
  std::size_t size_ = 0;
  std::byte *unused_ = nullptr, *end_ = nullptr;  ///< of the block
  free_record* free_ = nullptr;
  std::atomic<free_record*> given_{nullptr};
  free_record closed_{nullptr};
  std::atomic<std::ptrdiff_t> n_out_{1};  ///< of the heap, and `leave`; then of all
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
