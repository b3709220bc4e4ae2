#pragma once
/// Pinned host memory through which results of loops come from GPUs: a copy to other memory keeps the host
/// until the GPU has come to it.

#include "../context.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace yoke::detail {

class result_memory {
 public:
  /// The one of the context; made where no array has it yet.
  static std::shared_ptr<result_memory> of(const std::shared_ptr<array_context>& context);

  explicit result_memory(std::shared_ptr<array_context> context) : context_{std::move(context)} {}
  ~result_memory() { give_back(); }
  result_memory(const result_memory&) = delete;
  result_memory& operator=(const result_memory&) = delete;

  /// Serves until the next call. Null where there is no such memory.
  std::byte* room(std::size_t bytes);

 private:
  void give_back() noexcept;

  std::shared_ptr<array_context> context_;
  std::byte* first_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace yoke::detail
