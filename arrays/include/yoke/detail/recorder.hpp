// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How calls find out that they are to be listed, not run.

#include <memory>

#include <yoke/detail/loop.hpp>

namespace yoke::detail {

/// The body of a loop with its arguments.
class loop_body {
 public:
  loop_body() = default;
  virtual ~loop_body() = default;
  loop_body(const loop_body&) = delete;
  loop_body& operator=(const loop_body&) = delete;

  virtual void run(const loop_part& part) = 0;
  virtual bool has_reductions() const = 0;
  /// Whether finish is to be called, when all parts have finished: results to variables and arrays. False
  /// where there are none, or the device does it.
  virtual bool has_results() const = 0;
  /// Whether some are for arrays, which the next loop may read.
  virtual bool has_results_for_arrays() const = 0;
  virtual void finish(loop& all) = 0;
  /// Parts have moved.
  virtual void cut_anew(const loop& all) = 0;
};

/// Whether the calling thread is inside record. Errors: usage_error when that is for another runtime.
bool is_recording(const runtime& rt);
void add_to_recording(std::unique_ptr<loop> all, std::unique_ptr<loop_body> body);
/// Errors: usage_error naming the call.
void refuse_in_recording(const char* call);

}  // namespace yoke::detail
