#pragma once
/// Which CUs of a loop are there, so that none takes tasks that go to whoever asks before the others can ask.

#include <atomic>
#include <cstddef>
#include <memory>

#include <yoke/ids.hpp>

namespace yoke::detail {

/// A CU is away from the moment it has had its last batch of a pass until it asks for the next one: in
/// between it has left a region and may have to be woken. One that is in a pass, this or an earlier one, is
/// there. Thread-safe: each CU tells of itself.
class attendance {
 public:
  explicit attendance(int n_units);

  void begin(unit_id unit, pass_id pass) noexcept { at(unit).store(2 * pass + 1, std::memory_order_release); }
  void finish(unit_id unit, pass_id pass) noexcept {
    at(unit).store(2 * pass + 2, std::memory_order_release);
  }
  /// The CU counts as there until it says something again.
  void excuse(unit_id unit) noexcept { at(unit).store(excused, std::memory_order_release); }
  /// Returns when nobody who has not yet been in `pass` is away, when `stopped` is set, or after `patience`.
  /// Once it has been lost, later calls that have an end do not wait: who stays away once may never come.
  void wait_for_all(pass_id pass, const std::atomic<bool>& stopped, seconds patience) noexcept;

 private:
  static constexpr pass_id excused = -1;  // odd, as in a pass

  struct alignas(128) seat {
    std::atomic<pass_id> progress{0};  ///< 2·pass + 1 in a pass, 2·pass + 2 after it
  };
  std::atomic<pass_id>& at(unit_id unit) noexcept {
    return seats_[static_cast<std::size_t>(int{unit})].progress;
  }
  bool is_away(const seat& of, pass_id pass) const noexcept;

  std::unique_ptr<seat[]> seats_;
  int n_units_;
  std::atomic<bool> impatient_{false};
};

}  // namespace yoke::detail
