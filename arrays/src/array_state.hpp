#pragma once
/// An array: its contents, and the user's memory that it is attached to.

#include "contents.hpp"

#include <memory>

namespace yoke::detail {

class array_state {
 public:
  array_state(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape, void* user);
  ~array_state();
  array_state(const array_state&) = delete;
  array_state& operator=(const array_state&) = delete;

  /// Errors: usage_error naming the call, for a detached array and one whose runtime has ended.
  contents& usable(const char* call) const;
  /// Null when it has been detached.
  contents* elements() const { return contents_.get(); }
  array_context& context() const { return *context_; }
  /// The user's memory; empty where there is none.
  std::span<const std::byte> attached() const { return {user_, user_ == nullptr ? 0 : bytes_}; }
  const std::shared_ptr<array_context>& shared_context() const { return context_; }

  void detach();
  friend void swap_contents(array_state& a, array_state& b);

 private:
  void refuse_shared_memory(std::size_t bytes) const;
  /// Another array's contents, which a swap has brought into this array's memory, leave it.
  void take_memory_back();

  std::shared_ptr<array_context> context_;
  std::byte* user_;
  std::size_t bytes_ = 0;  ///< of the user's memory
  std::unique_ptr<contents> contents_;
};

void swap_contents(array_state& a, array_state& b);

}  // namespace yoke::detail
