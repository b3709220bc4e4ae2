// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A loop over arrays without the types of its elements: what for_each (for_each.hpp) asks for.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <yoke/detail/array_handle.hpp>
#include <yoke/detail/bodies.hpp>
#include <yoke/device.hpp>
#include <yoke/loop_sharing.hpp>
#include <yoke/part.hpp>

namespace yoke::detail {

enum class role { in, out, inout };

/// One array that a loop uses.
struct array_use {
  const array_handle* array = nullptr;
  role how = role::in;
  bool has_halo = true;  ///< false: own elements alone
  /// Elements below and above in each dimension that are read; at most what is declared counts.
  std::array<std::int64_t, 4> low{};
  std::array<std::int64_t, 4> high{};
  bool has_corners = true;     ///< and those beside a part in several dimensions that are cut
  bool is_transposed = false;  ///< index (i, j) of the loop is (j, i) of the array
  bool is_everywhere = false;  ///< each unit reads all elements
  bool is_result = false;      ///< its one element is that of a reduction
};

/// Where a part finds an array.
struct placed_view {
  void* first = nullptr;  ///< the element with the indices `begins`
  std::int64_t begins[4]{};
  std::int64_t extents[4]{};
  std::int64_t strides[4]{};  ///< elements
};

struct gpu_unit;
struct loop_parts;
class shared_tiles;

/// What one unit does, or one box of it, or a piece of that, or tiles of what CPU CUs have together.
class loop_part {
 public:
  loop_part(loop_parts& of, int unit, const any_box& over) : loop_part{of, unit, over, over, true} {}
  /// A piece `over` of `box`. `on`: a GPU CU with another stream than its own.
  loop_part(loop_parts& of, int unit, const any_box& over, const any_box& box, bool is_last,
            const gpu_unit* on = nullptr)
      : of_{of}, unit_{unit}, over_{over}, box_{box}, is_last_{is_last}, on_{on} {}
  /// Those of `tiles` that the CPU CU comes to take.
  loop_part(loop_parts& of, int unit, shared_tiles& tiles);

  const any_box& over() const { return over_; }
  const any_box& box() const { return box_; }
  /// All other pieces of the box come before what is queued now; this one may be empty.
  bool is_last() const { return is_last_; }
  int unit() const { return unit_; }
  bool is_on_gpu() const;
  /// False where another unit runs the same indices, and its sums count.
  bool is_counted() const;
  placed_view view(std::size_t use) const;
  /// Elements from the multiple of 128 bytes below to the first one that the part writes, as many in each
  /// row. 0 where rows begin differently or are short, and on CPUs.
  std::int64_t misaligned() const;
  /// As a body of whole parts gets it.
  template <int D>
  part<D> as() const {
    const unit_facts facts = unit_of_part();
    return {over_, unit_, facts.cpus, facts.dev, facts.stream};
  }
  /// Runs it on the unit: on a GPU CU it is queued.
  void run(const kernel_call& call) const;
  /// Memory of the GPU that serves until the next call for the same GPU, in a recording as long as that.
  void* scratch(std::size_t bytes) const;
  /// Behind what the GPU has been given, to the host when all units have been told what to do, in a recording
  /// at its end; at once on a CPU CU.
  void copy_to_host(void* to, const void* from, std::size_t bytes) const;
  void copy_from_host(void* to, const void* from, std::size_t bytes) const;

 private:
  struct unit_facts {
    int cpus;
    device* dev;
    stream_handle stream;
  };
  unit_facts unit_of_part() const;
  const gpu_unit* gpu() const;

  loop_parts& of_;
  int unit_;
  any_box over_, box_;
  bool is_last_ = true;
  const gpu_unit* on_ = nullptr;
  shared_tiles* tiles_ = nullptr;
};

/// Memory that a loop writes when it has finished: the variable of a reduction.
struct result_place {
  const void* first = nullptr;
  std::size_t bytes = 0;
};
/// Errors: usage_error naming the loop, for a variable of two reductions, or one that an array is attached
/// to.
void check_results(runtime& rt, const char* name, std::span<const result_place> results);

using part_body = std::function<void(const loop_part&)>;

/// Checks what is asked for before anything moves. Errors: usage_error naming the loop and what is wrong.
class loop {
 public:
  /// `sharing`: null where the arrays tell who runs what.
  loop(runtime& rt, const char* name, const any_box& over, std::span<const array_use> uses,
       taking_part who = {}, const loop_sharing* sharing = nullptr);
  ~loop();
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// `body` for each unit that has something to do, or each of its boxes: for GPUs on the calling thread, for
  /// CPU CUs on theirs.
  /// Returns when the CPU CUs have finished; `waits`: and the GPUs too. `in_pieces`: a GPU's box may come in
  /// several, of which some are run beside others.
  void run(const part_body& body, bool waits, bool in_pieces = false);
  /// Where, along a dimension, the parts begin and end whose reductions count, in order.
  std::vector<std::int64_t> cuts(int d) const;
  loop_parts& parts() { return *parts_; }
  /// Whether one GPU has all that there is, so that nothing need come to the host.
  bool is_on_one_gpu() const;
  /// The element of the result with this number among the arrays of the loop; when all units have finished.
  void read_result(std::size_t use, void* value) const;
  void write_result(std::size_t use, const void* value);

 private:
  std::unique_ptr<loop_parts> parts_;
};

}  // namespace yoke::detail
