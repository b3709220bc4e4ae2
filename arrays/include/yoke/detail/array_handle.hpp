// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What an array is without its type.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/box.hpp>
#include <yoke/detail/order_slot.hpp>
#include <yoke/distribution.hpp>
#include <yoke/side.hpp>

namespace yoke {

class runtime;

namespace detail {

struct array_shape {
  int dimensions = 1;
  std::size_t element = 1;  ///< bytes
  std::array<std::int64_t, 4> extents{1, 1, 1, 1};
  std::string_view type{};  ///< of the elements, for messages; lives as long as the program
  std::string_view name{};  ///< as the program calls the array; empty where it does not
};

/// The host's memory that an array is attached to.
struct user_memory {
  void* first = nullptr;                            ///< null for an internal array
  std::array<std::int64_t, 4> strides{1, 1, 1, 1};  ///< elements
  bool is_const = false;                            ///< nothing is written there
};

class array_state;
class recorded_steps;

/// Ends what calls of other threads may be about to use, when it is its turn. It stays for ever, and is of no
/// use, where that does not come: a body ends it, or calls exit(), while threads go on.
struct end_in_turn {
  void operator()(array_state* what) const noexcept;
  void operator()(recorded_steps* what) const noexcept;
};
template <class T>
using ended_in_turn = std::unique_ptr<T, end_in_turn>;

/// Errors of all members: usage_error for an array that was moved from or detached, or whose runtime has
/// ended; device_error.
class array_handle {
 public:
  array_handle();
  /// `on`: null for all units. Errors: usage_error naming what is wrong with shape, distribution, grid or
  /// memory; out_of_memory, before anything has moved.
  array_handle(runtime& rt, const array_shape& shape, std::span<const distribution> dims,
               const dist::grid* on, const user_memory& user);
  array_handle(runtime& rt, const array_shape& shape, const array_handle& as, const user_memory& user);
  ~array_handle();
  array_handle(array_handle&&) noexcept;
  array_handle& operator=(array_handle&&) noexcept;

  array_state& state() const;
  /// The array's own, whatever contents it has.
  order_slot& order() const;
  void detach();
  void gather(void* to) const;
  bound rows_of(int unit) const;
  std::vector<any_box> boxes_of(int unit) const;
  /// Errors: usage_error for a distribution with halo or edge, a halo wider than a part, an array of another
  /// runtime or extent; out_of_memory. The array is as before then.
  void redistribute(std::span<const distribution> dims, const dist::grid* on) const;
  void redistribute(const array_handle& as) const;
  runtime& rt() const;
  /// Zeros: an array of which each unit has the elements (j, i) where it has (i, j) of this one.
  array_handle transposed() const;
  /// No other thread uses arrays of the runtime as long as it is there.
  std::shared_ptr<const void> hold() const;
  /// Errors: usage_error unless it is balanced.
  bool balance() const;
  std::string explain() const;

 private:
  explicit array_handle(ended_in_turn<array_state> state);

  ended_in_turn<array_state> state_;
};

/// Errors: usage_error for a dimension that the array lacks.
distribution along(const array_handle& other, int dimension);
void swap_contents(const array_handle& a, const array_handle& b);
void copy_contents(const array_handle& from, const array_handle& to);
void exchange_halos(const array_handle& of);
/// Of these sides, without corners. Errors: usage_error for a dimension that the array lacks.
void exchange_sides(const array_handle& of, std::span<const side> sides);
/// Errors: usage_error where extents or runtimes do not go together.
void check_transposed(const array_handle& from, const array_handle& to);
}  // namespace detail

}  // namespace yoke
