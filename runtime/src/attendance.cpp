#include "attendance.hpp"

#include <cmath>
#include <span>
#include <thread>

#include <yoke/clock.hpp>

namespace yoke::detail {

attendance::attendance(int n_units)
    : seats_{std::make_unique<seat[]>(static_cast<std::size_t>(n_units))}, n_units_{n_units} {}

bool attendance::is_away(const seat& of, pass_id pass) const noexcept {
  const pass_id progress = of.progress.load(std::memory_order_acquire);
  return progress % 2 == 0 && progress <= 2 * pass;
}

void attendance::wait_for_all(pass_id pass, const std::atomic<bool>& stopped, seconds patience) noexcept {
  const bool has_end = std::isfinite(patience);
  const ticks began = now();
  for (const seat& of : std::span{seats_.get(), static_cast<std::size_t>(n_units_)}) {
    while (is_away(of, pass) && !stopped.load(std::memory_order_relaxed)) {
      if (has_end && impatient_.load(std::memory_order_relaxed)) return;
      if (has_end && elapsed(began, now()) > patience) impatient_ = true;
      std::this_thread::yield();  // the late one may need this very CPU
    }
  }
}

}  // namespace yoke::detail
