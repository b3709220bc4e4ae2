#pragma once
/// Moves bytes between spaces and counts them; knows addresses, not regions.

#include "leaving.hpp"
#include "waits.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <yoke/links.hpp>
#include <yoke/region_table.hpp>

namespace yoke::detail {

/// Host memory of a device that copies reach asynchronously; freed with its owner.
class pinned_buffer {
 public:
  pinned_buffer() = default;
  /// Errors: device_error.
  pinned_buffer(device_memory& dev, std::size_t bytes);
  pinned_buffer(pinned_buffer&& other) noexcept;
  pinned_buffer& operator=(pinned_buffer&& other) noexcept;
  ~pinned_buffer();

  std::byte* get() const { return address_; }

 private:
  device_memory* device_ = nullptr;
  std::byte* address_ = nullptr;
};

/// One end of a transfer.
struct location {
  space_id space;
  void* address = nullptr;
};

class transfer_engine {
 public:
  /// What is queued is work of `by`.
  transfer_engine(std::span<device* const> devices, versions::worker& by);
  ~transfer_engine();
  transfer_engine(const transfer_engine&) = delete;
  transfer_engine& operator=(const transfer_engine&) = delete;

  int n_spaces() const { return static_cast<int>(lanes_.size()); }
  device* device_of(space_id space) const { return lane_of(space).dev; }
  /// Between two devices that do not reach each other's memory.
  bool goes_by_host(space_id from, space_id to) const;

  /// Has completed on return. When it throws, nothing of it is still under way.
  void copy(location from, location to, std::size_t bytes);

  struct started {
    event for_caller;
    std::shared_ptr<queued_work>
        work;  ///< behind `for_caller`: who has waited for it finds the caller's done
  };
  /// On `stream` of the device in question (the destination's, else the source's), the engine's own one where
  /// it is null. Between two devices that do not reach each other the first half, into pinned host memory,
  /// has completed on return. `before`, of that device, is waited for first. When it throws, nothing of it is
  /// still under way.
  started copy_async(location from, location to, std::size_t bytes, stream_handle stream,
                     const waits& before);
  /// An event behind everything queued on `stream` of that device (null: the engine's own) and behind
  /// `before`.
  event mark(space_id space, stream_handle stream, const waits& before);
  /// The work that `stream` of the space's device has by now.
  std::shared_ptr<queued_work> queued(space_id space, stream_handle stream);

  /// Of copies that are over; called where somebody has waited for one.
  void free_staging();

  std::vector<transfer_count> counts() const;

 private:
  /// The engine's own stream of one device, made when first used. A failure ends the stream, which waits for
  /// what is queued on it even when the device answers nothing else.
  struct lane {
    device* dev = nullptr;
    std::mutex lock;
    stream_handle stream{};
    pinned_buffer staging;
    std::mutex order;  ///< of numbers and events; short
    std::uint64_t n_queued = 0;
    leaving<pinned_buffer> in_use;  ///< staging memory of copies that are under way

    stream_handle ready();
    void drop() noexcept;
    std::shared_ptr<queued_work> queued(stream_handle on, versions::worker& by);
  };
  struct counter {
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::size_t> copies{0};
  };

  lane& lane_of(space_id space) const { return *lanes_[static_cast<std::size_t>(static_cast<int>(space))]; }
  void copy_one_device(lane& on, location from, location to, std::size_t bytes);
  void copy_by_host(location from, location to, std::size_t bytes);
  void exchange_chunks(lane& source, lane& target, location from, location to, std::size_t bytes);
  /// Waits until nothing of a failed operation is under way.
  static void quiesce(lane& on, stream_handle used, bool own) noexcept;
  void count(space_id from, space_id to, std::size_t bytes);

  versions::worker& by_;
  link_table links_;
  std::vector<std::unique_ptr<lane>> lanes_;  ///< one for each space; the host's has no device
  std::vector<counter> counters_;
};

}  // namespace yoke::detail
