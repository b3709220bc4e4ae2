#pragma once
/// An array: its contents, and the user's memory that it is attached to.

#include "attached_memory.hpp"
#include "contents.hpp"
#include "host_section.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <yoke/detail/order_slot.hpp>

namespace yoke::detail {

/// As the program gave it; both may be empty.
struct array_label {
  std::string_view name{};
  std::string_view type{};  ///< of the elements
};

class array_state {
 public:
  array_state(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape,
              const user_memory& user, const array_label& label = {});
  /// Requires: the lock.
  ~array_state();
  array_state(const array_state&) = delete;
  array_state& operator=(const array_state&) = delete;

  /// "the array 'u' (64 x 64 double)", "the array (64 x 64 double, the 3rd that was made)" without a name.
  const std::string& called() const { return called_; }
  /// Errors: usage_error naming the call, for a detached array and one whose runtime has ended.
  contents& usable(const char* call) const;
  /// Null when it has been detached.
  contents* elements() const { return contents_.get(); }
  array_context& context() const { return *context_; }
  const std::shared_ptr<array_context>& shared_context() const { return context_; }
  bool is_const() const { return is_const_; }
  order_slot& order() { return order_; }
  /// Whether one of its elements is there, in memory of the program.
  bool is_attached_to(const void* first, std::size_t bytes) const;

  void detach();
  /// No call uses it from here on, and what uses its contents goes on.
  void leave() noexcept;
  friend void swap_contents(array_state& a, array_state& b);

 private:
  /// Where checks are on and nothing of Yoke uses the program's memory until detach, so that nothing may.
  void watch_memory();
  /// Errors: usage_error for memory that is watched and has changed.
  void refuse_changed_memory() const;
  /// A section with gaps goes to memory of its own. Errors: out_of_memory.
  void take_section();
  /// Another array's contents, which a swap has brought into this array's memory, leave it.
  void take_memory_back();
  /// detach, of const memory.
  void end_reading();

  std::shared_ptr<array_context> context_;
  std::string called_;
  host_section section_{};
  std::unique_ptr<attached_memory> claim_{};
  std::unique_ptr<std::byte, free_memory> packed_{};  ///< the elements of a section with gaps
  bool is_const_ = false;                             ///< nothing is written to the program's memory
  std::byte* user_;  ///< where contents have them: the user's memory, or packed_
  std::unique_ptr<contents> contents_;
  order_slot order_{};
  std::optional<std::uint64_t> attached_as_{};  ///< checksum of memory that is watched
};

void swap_contents(array_state& a, array_state& b);

}  // namespace yoke::detail
