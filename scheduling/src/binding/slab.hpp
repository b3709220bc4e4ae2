#pragma once
/// Things in blocks, by number: they stay where they are, and their memory is not twice what they need.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace yoke::scheduling {

/// No number of a slab.
inline constexpr std::uint32_t none = 0xffffffff;

template <class T>
class slab {
 public:
  std::uint32_t take() {
    if (free_.empty()) return grow();
    const std::uint32_t at = free_.back();
    free_.pop_back();
    return at;
  }
  /// What stands there stays until the number is taken again.
  void give(std::uint32_t at) { free_.push_back(at); }
  T& operator[](std::uint32_t at) { return blocks_[at / block][at % block]; }
  const T& operator[](std::uint32_t at) const { return blocks_[at / block][at % block]; }
  std::uint32_t size() const { return size_; }

 private:
  std::uint32_t grow() {
    if (size_ % block == 0) blocks_.push_back(std::make_unique<T[]>(block));
    return size_++;
  }

  /// Things; what a program of few tasks pays.
  static constexpr std::uint32_t block = 256;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
};

}  // namespace yoke::scheduling
