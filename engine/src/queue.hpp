#pragma once
/// A stream of a device, and events behind parts of its work.

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <yoke/device.hpp>

namespace yoke::flow {

/// Thread-safe.
class queue {
 public:
  queue(device& dev, stream_kind kind) : device_{dev}, stream_{dev.make_stream(kind)} {}
  ~queue();
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  device& dev() const { return device_; }

  /// An event behind all work up to a number.
  struct point {
    event_handle event;
    std::uint64_t number;
  };
  /// `run(stream)`, the work of that number from here on; where it throws, that has not started. `marks_end`:
  /// a point is recorded behind it.
  template <class Run>
  void start(std::uint64_t number, const Run& run, bool marks_end = false) {
    const std::lock_guard guard{lock_};
    run(stream_);
    last_started_ = number;
    if (marks_end || number % work_between_looks == 0) record_for_looks();
  }
  /// Behind that work, recorded where none is that will do; none where it has not started. Errors:
  /// device_error.
  std::optional<point> behind(std::uint64_t number);
  /// The same, or behind all that has started where that work never will, for something before it has failed;
  /// none where nothing has.
  std::optional<point> behind_what_there_is(std::uint64_t number);
  /// `look` will say when that work is over.
  void see_to(std::uint64_t number) noexcept;
  /// The last point that has been passed, if any. Errors: device_error.
  std::optional<point> look();
  /// Waits for all that has started, where something has failed; the number of the last.
  std::uint64_t drain() noexcept;
  /// Nobody will ask for points up to that number.
  void forget(std::uint64_t number);

 private:
  /// So that work is seen to be over where nobody waits for it, at a 64th of what an event costs.
  static constexpr std::uint64_t work_between_looks = 64;
  void record_for_looks() noexcept;
  point record();
  point behind_started(std::uint64_t number);

  device& device_;
  const stream_handle stream_;
  std::mutex lock_;
  std::uint64_t last_started_ = 0;
  std::deque<point> points_;  ///< with rising numbers
  std::vector<event_handle> free_;
};

}  // namespace yoke::flow
