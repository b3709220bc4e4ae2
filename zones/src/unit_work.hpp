#pragma once
/// What a unit does in one go: copies of faces and launches, with the tables that they read.

#include "face_moves.hpp"
#include "field_memory.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/owned_handle.hpp>
#include <yoke/runtime_engine.hpp>

namespace yoke::detail {

/// How long a unit works, where somebody asks: by the clock on a CPU CU, by events on a device.
class unit_clock {
 public:
  explicit unit_clock(device* dev) : device_{dev} {}
  unit_clock(const unit_clock&) = delete;
  unit_clock& operator=(const unit_clock&) = delete;

  /// Forgets what was timed before, by steps that have failed.
  void start() {
    spent_ = 0;
    events_.clear();
    is_on_ = true;
  }
  /// Since start, of work that is over; stops. Errors: device_error.
  seconds take();
  template <class Work>
  void time(const flow::site& at, const Work& work) {
    if (!is_on_) return work();
    if (at.dev != nullptr) {
      begin(at);
      work();
      return end(at);
    }
    const ticks from = now();
    work();
    spent_ += now() - from;
  }

 private:
  void begin(const flow::site& at);
  void end(const flow::site& at);

  device* device_;
  std::atomic<bool> is_on_{false};
  ticks spent_ = 0;
  std::vector<std::pair<owned_event, owned_event>> events_;
};

/// Copies of a table, or the launch of an operation for a batch of zones.
struct unit_launch {
  std::string name;
  int word_bytes = 0;  ///< of copies
  std::shared_ptr<const zone_call> call;
  std::vector<zone_memory> batch;
  std::size_t entries_at = 0, chunks_at = 0;  ///< in the table
  std::int64_t n_chunks = 0;
  double* results = nullptr;
};

/// Made once: launches are added, then it is completed, then enqueued as often as one likes.
class unit_work {
 public:
  unit_work(const compute_unit& unit, std::string name) : unit_{&unit}, name_{std::move(name)} {}

  void add_moves(std::string name, const field_form& form, std::span<const face_move> moves);
  /// `results`: one for each chunk, where the call has some.
  void add_call(const zone_operation& what, std::vector<zone_memory> batch, double* results = nullptr);
  void use(versions::piece what, flow::role as);
  /// Others wait for it while the unit goes on.
  void mark_end() { marks_end_ = true; }
  bool is_empty() const { return launches_.empty(); }
  bool is_recordable() const;
  /// Whether a graph of it saves launches.
  bool has_many_launches() const;
  std::size_t launches() const { return launches_.size(); }
  /// Puts the tables where the unit reads them. Errors: out_of_memory; device_error.
  void complete(std::shared_ptr<unit_clock> clock);
  const flow::step& step() const { return step_; }

 private:
  std::size_t add_to_table(const void* bytes, std::size_t n);
  void add_chunks(unit_launch& to, std::vector<zone_chunk> chunks);

  const compute_unit* unit_;
  std::string name_;
  bool marks_end_ = false;
  std::vector<std::byte> table_;
  std::vector<unit_launch> launches_;
  std::vector<flow::argument> arguments_;
  flow::step step_;
};

}  // namespace yoke::detail
