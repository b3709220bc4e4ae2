// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Bodies of loops that are functions of the host, called for the whole part of each unit: for libraries.
///
///   struct multiply_by_blas : yoke::whole_part {
///     void operator()(const yoke::part<2>& p, yoke::view<const double, 2> a, yoke::view<const double, 2> b,
///                     yoke::view<double, 2> c) const
///     {
///       cblas_dgemm(…, p.extent(0), …, a.first().address(), a.stride(0), …);    // on the CPUs of the unit
///     }
///   };
///   yoke::for_each<yoke::variants<cpu<multiply_by_blas>, gpu<multiply>>>(rt, {n, m}, in(a), in(b), out(c));
///
/// On a GPU CU such a function queues work on stream(), with addresses of the device: cuBLAS by
/// cublasSetStream(handle, static_cast<cudaStream_t>(p.stream().native)), kernels by yoke::launch.

#include <cstdint>
#include <type_traits>

#include <yoke/box.hpp>
#include <yoke/device.hpp>

namespace yoke {

/// What such a body derives from. It takes no partial results. Units call it at the same time, each once for
/// its part, with dist::cyclic once for each piece of it. What it is
/// called for in a recording is called on CPU CUs in each replay, and on a GPU CU once: what it queued is
/// replayed.
struct whole_part {};

/// The unit that a body is called for, and its indices: [begin(d), end(d)) in dimension d, of which it may
/// write the elements.
template <int D>
class part {
 public:
  /// `dev`: null on a CPU CU.
  part(const detail::any_box& over, int unit, int cpus, device* dev, stream_handle stream)
      : over_{over}, unit_{unit}, cpus_{cpus}, dev_{dev}, stream_{stream} {}

  std::int64_t begin(int dimension) const { return over_[dimension].begin; }
  std::int64_t end(int dimension) const { return over_[dimension].end; }
  std::int64_t extent(int dimension) const { return over_[dimension].size(); }
  int unit() const { return unit_; }
  bool is_on_gpu() const { return dev_ != nullptr; }
  /// That the unit has: as many threads a library should use. 1 on a GPU CU.
  int cpus() const { return cpus_; }
  /// Of a GPU CU; null and a null handle on a CPU CU.
  device* dev() const { return dev_; }
  stream_handle stream() const { return stream_; }

 private:
  detail::any_box over_;
  int unit_;
  int cpus_;
  device* dev_;
  stream_handle stream_;
};

namespace detail {

template <class Body>
inline constexpr bool is_whole_part = std::is_base_of_v<whole_part, Body>;

}  // namespace detail

}  // namespace yoke
