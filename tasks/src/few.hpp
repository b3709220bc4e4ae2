#pragma once
/// Of most tasks one thing: a list without an allocation for that.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace yoke::detail {

/// As a std::vector, of which the first `Here` are in the list itself, as long as there are no more. Elements
/// that are moved from cost nothing to destroy, and moving does not throw.
template <class T, std::size_t Here>
class few {
 public:
  using value_type = T;

  few() noexcept {}
  few(few&& other) noexcept { take(other); }
  few& operator=(few&& other) noexcept {
    if (this == &other || (empty() && other.empty())) return *this;
    reset();
    take(other);
    return *this;
  }
  few(const few&) = delete;
  few& operator=(const few&) = delete;
  ~few() { reset(); }

  T* begin() noexcept { return first_; }
  T* end() noexcept { return first_ + size_; }
  const T* begin() const noexcept { return first_; }
  const T* end() const noexcept { return first_ + size_; }
  T* data() noexcept { return first_; }
  const T* data() const noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t at) noexcept { return first_[at]; }
  T& back() noexcept { return first_[size_ - 1]; }

  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  template <class Value>
  void push_back(Value&& one) {
    T made(std::forward<Value>(one));  // may be one of these
    if (size_ == capacity_) grow(std::size_t{2} * capacity_);
    new (first_ + size_++) T{std::move(made)};
  }
  void clear() noexcept {
    while (size_ > 0) first_[--size_].~T();
  }

 private:
  T* here() noexcept { return std::launder(reinterpret_cast<T*>(here_)); }
  bool is_here() const noexcept { return static_cast<const void*>(first_) == here_; }
  void reset() noexcept {
    clear();
    if (!is_here()) std::allocator<T>{}.deallocate(first_, capacity_);
    first_ = here();
    capacity_ = Here;
  }
  /// Requires: nothing is here.
  void take(few& other) noexcept {
    if (other.is_here()) {
      for (; size_ < other.size_; ++size_) new (first_ + size_) T{std::move(other.first_[size_])};
      return other.clear();
    }
    first_ = std::exchange(other.first_, other.here());
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(Here));
  }
  void grow(std::size_t n) {
    T* const more = std::allocator<T>{}.allocate(n);
    std::uninitialized_move_n(first_, size_, more);
    const std::uint32_t size = size_;
    reset();
    first_ = more;
    size_ = size;
    capacity_ = static_cast<std::uint32_t>(n);
  }

  T* first_ = reinterpret_cast<T*>(here_);
  std::uint32_t size_ = 0, capacity_ = Here;
  alignas(T) std::byte here_[Here * sizeof(T)];
};

}  // namespace yoke::detail
