#pragma once
/// Memory where short rows of a halo lie together while they travel.

#include "../context.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace yoke::detail {

/// Of one exchange: some bytes on the host and on each GPU.
class message_memory {
 public:
  explicit message_memory(std::shared_ptr<array_context> context);
  ~message_memory();
  message_memory(const message_memory&) = delete;
  message_memory& operator=(const message_memory&) = delete;

  /// Which of `bytes` and of what `first` counts: 0 is the host, GPU i is i + 1.
  std::size_t number_of(const gpu_unit* of) const;
  /// Room for as many bytes; what was there is lost. Errors: out_of_memory.
  void reserve(std::span<const std::size_t> bytes);
  std::byte* first(const gpu_unit* of);

 private:
  struct on_gpu {
    key region = nullptr;
    std::size_t bytes = 0;
  };

  void reserve(std::size_t gpu, std::size_t bytes);

  std::shared_ptr<array_context> context_;
  std::vector<std::byte> host_;
  std::vector<on_gpu> gpus_;
};

/// Of one array: memories that no exchange uses are used again.
class message_pool {
 public:
  std::shared_ptr<message_memory> take(const std::shared_ptr<array_context>& context);

 private:
  std::vector<std::shared_ptr<message_memory>> all_;
};

}  // namespace yoke::detail
