#pragma once
/// Which faces are on their way from one device into the memory of another, for those who take them: their
/// devices wait, and no host.

#include "moment.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <yoke/device.hpp>
#include <yoke/ids.hpp>

namespace npb {

/// Two events for each GPU CU, one for each parity of a moment, do for the reason that two slots of a face do
/// (face_store.hpp): a CU whose faces for s+2 have left got those of its neighbours for s+1, which left after
/// they were told to wait for its own of s. Each is announced by the CU's thread; asked by all.
class departures {
 public:
  explicit departures(std::size_t n_units) : entries_{std::make_unique<entry[]>(2 * n_units)} {}

  /// `event` is recorded: when it happens, all faces of this moment that `giver` gives to other devices
  /// directly are in their slots. The slots are noted down as full before.
  void announce(yoke::unit_id giver, moment at, yoke::event_handle event) {
    entry& of = entry_of(giver, at);
    of.event = event;
    of.last.store(number_of(at), std::memory_order_release);
  }
  bool is_announced(yoke::unit_id giver, moment at) const {
    return entry_of(giver, at).last.load(std::memory_order_acquire) == number_of(at);
  }
  /// Requires that it is announced.
  yoke::event_handle event_of(yoke::unit_id giver, moment at) const { return entry_of(giver, at).event; }

 private:
  struct alignas(64) entry {
    std::atomic<std::int64_t> last{-1};
    yoke::event_handle event{};
  };
  entry& entry_of(yoke::unit_id giver, moment at) const {
    return entries_[2 * static_cast<std::size_t>(giver) + static_cast<std::size_t>(at.parity())];
  }
  static std::int64_t number_of(moment at) { return (std::int64_t{at.generation} << 32) + at.step; }

  std::unique_ptr<entry[]> entries_;  ///< by unit and parity
};

}  // namespace npb
