// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A loop over streamed memory without the types of its elements.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <yoke/box.hpp>
#include <yoke/detail/bodies.hpp>
#include <yoke/detail/loop.hpp>
#include <yoke/pinned_range.hpp>

namespace yoke {
class runtime;

namespace detail {

/// For the devices of `rt`. Errors: device_error.
std::vector<pinned_range> pin_for(runtime& rt, std::span<const std::byte> memory);

/// Streamed memory that a loop uses.
struct stream_use {
  std::byte* first = nullptr;
  array_shape shape{};
  role how = role::in;
  std::int64_t low = 0;  ///< rows beside those of a chunk that are read, as far as there are any
  std::int64_t high = 0;
};

template <class View>
struct stream_role {
  using view_type = View;
  stream_use use;
};

template <class>
inline constexpr bool is_stream_role = false;
template <class View>
inline constexpr bool is_stream_role<stream_role<View>> = true;

class stream_chunks;

/// What a unit does with a chunk.
class stream_part {
 public:
  /// `memory`: of a chunk on a GPU, whose stream `on` is; null for a CPU CU.
  stream_part(const stream_chunks& of, const bound& rows, std::byte* memory, device* gpu, stream_handle on);

  const any_box& over() const { return over_; }
  bool is_on_gpu() const { return gpu_ != nullptr; }
  placed_view view(std::size_t use) const;
  /// Runs it on the unit: on a GPU CU it is queued.
  void run(const kernel_call& call) const;

 private:
  const stream_chunks& of_;
  any_box over_;
  std::byte* memory_;
  device* gpu_;
  stream_handle stream_;
};

using stream_body = std::function<void(const stream_part&)>;

/// `body` for each chunk of `over`, whose dimension 0 is cut; all has finished on return. Errors: usage_error
/// naming the loop and what is wrong, out_of_memory, before anything has run; device_error; those of `body`.
void run_stream(runtime& rt, const char* name, const any_box& over, std::span<const stream_use> uses,
                taking_part who, const stream_body& body);

}  // namespace detail

}  // namespace yoke
