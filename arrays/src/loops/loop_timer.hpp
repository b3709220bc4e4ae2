#pragma once
/// Times a loop for the balancer of its arrays, where that wants to know.

#include "loop_parts.hpp"

#include <optional>
#include <vector>

#include <yoke/balancer.hpp>
#include <yoke/clock.hpp>
#include <yoke/owned_handle.hpp>

namespace yoke::detail {

/// What a GPU does between two points of its stream.
class timed_span {
 public:
  explicit timed_span(const gpu_unit& gpu)
      : gpu_{&gpu},
        from_{*gpu.dev, gpu.dev->create_timed_event()},
        to_{*gpu.dev, gpu.dev->create_timed_event()} {}

  void begin() const { gpu_->dev->record(from_, gpu_->stream); }
  void end() const { gpu_->dev->record(to_, gpu_->stream); }
  /// When it has run.
  seconds length() const { return gpu_->dev->seconds_between(from_, to_); }

 private:
  const gpu_unit* gpu_;
  owned_event from_, to_;
};

class loop_timer {
 public:
  /// Counts the loop. Waits for what GPUs have been given before where it is to be timed.
  explicit loop_timer(const loop_parts& parts);

  bool is_on() const { return is_on_; }
  /// `body`, with a look at the clock before and after it; must outlive what is returned.
  const part_body& around(const part_body& body);
  /// Around what brings halos, up to when the host has its own.
  void begin_exchange();
  void end_exchange();
  /// When all units have finished.
  void finish();

 private:
  void run_on_cpus(const part_body& body, const loop_part& part);
  void run_on_gpu(const part_body& body, const loop_part& part);

  const loop_parts& parts_;
  bool is_on_ = false;
  ticks began_ = 0, exchange_began_ = 0;
  seconds with_host_ = 0;
  std::vector<seconds> units_;  ///< of CPU CUs; each writes its own
  std::vector<std::optional<timed_span>> gpus_;
  part_body timed_;
};

}  // namespace yoke::detail
