// Work of the host: what runs there, and what goes on by itself and is to be asked.
#include "engine_core.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace yoke::flow {

namespace {

/// How often what goes on is asked by the thread of the host: seldom where seats compute, whose CPU this
/// thread may have to share.
constexpr std::chrono::microseconds between_asks{20}, between_asks_beside_seats{200};

/// What a message takes between two ranks of a node, and more; and what it takes to sleep and be woken.
constexpr seconds looks_for_most = 300e-6, looks_for_least = 10e-6;

}  // namespace

bool engine_core::does_something(const work& of) {
  const auto* const run = static_cast<const run_of_plan*>(of.plan());
  return run != nullptr && run->what != nullptr && run->what->run != nullptr;
}

bool engine_core::goes_on_by_itself(const work& of) {
  return static_cast<bool>(static_cast<const run_of_plan*>(of.plan())->what->is_over);
}

/// Errors: std::system_error where the system gives no thread.
void engine_core::be_ready_on_host() {
  if (!host_worker_.joinable()) host_worker_ = std::thread{[this] { work_on_host(); }};
}

void engine_core::start_on_host(const work_ptr& what, table_guard& table) {
  if (!goes_on_by_itself(*what)) {
    host_.next = what;
    wake(host_);
    return has_changed();
  }
  table.unlock();
  const std::exception_ptr error = run_on_seat(*static_cast<const run_of_plan*>(what->plan()));
  table.lock();
  if (error != nullptr) return all_.fail(what, error);
  going_ = what;
  // A thread that sits comes by when its work is over; what it does for the team may wait for this.
  if (sits_at != this || runs_for == this) see_to_host();
  has_changed();
}

/// Where nobody waits for what goes on there, the thread of the host asks.
void engine_core::see_to_host() {
  if (going_ != nullptr && !is_asked_ && !host_asks_) wake(host_);
}

/// Once, or for a while by who waits: for longer where that was not in vain lately, as where each process has
/// a CPU for itself. Then the thread of the host goes on: it hardly computes, so that a busy system lets it
/// look in time. False where it is not over, and where another thread asks.
bool engine_core::ask_on_host(bool waits, table_guard& table) {
  if (going_ != nullptr && is_asked_) is_wanted_ = is_wanted_ || waits;
  if (going_ == nullptr || is_asked_) return false;
  const work_ptr what = going_;
  is_asked_ = true;
  if (waits && !is_awaited_since_) is_awaited_since_ = now();
  table.unlock();
  std::exception_ptr error;
  const auto is_over = [&] {
    try {
      const at_work here{*this};
      return static_cast<const run_of_plan*>(what->plan())->what->is_over();
    } catch (...) {
      error = std::current_exception();
      return true;
    }
  };
  const bool was_over = waits ? detail::look_for(looks_for_, is_over) : is_over();
  table.lock();
  is_asked_ = false;
  if (std::exchange(is_wanted_, false)) has_changed();
  if (!was_over) {
    if (waits) wake(host_);
    return false;
  }
  going_ = nullptr;
  if (const auto since = std::exchange(is_awaited_since_, {}))
    looks_for_ = elapsed(*since, now()) < looks_for_most ? std::min(2 * looks_for_, looks_for_most)
                                                         : std::max(looks_for_ / 2, looks_for_least);
  end_work(what, error, table);
  return true;
}

bool engine_core::has_to_act_on_host() const {
  return host_.next != nullptr || is_closing_ ||
         (!queues_.empty() && going_ == nullptr && all_.has_next(host()));
}

/// Until it has to act. Sleeps at once: it may share the only CPU of the process with a seat.
void engine_core::wait_on_host(table_guard& table) {
  while (!has_to_act_on_host()) {
    const std::uint64_t seen = host_.news;
    const auto news = [&] { return host_.news != seen; };
    host_asks_ = going_ != nullptr && !is_asked_;
    host_.is_asleep = true;
    if (host_asks_)
      host_.wakes.wait_for(table, std::ranges::any_of(seats_, &seat_state::computes)
                                      ? between_asks_beside_seats
                                      : between_asks);
    else
      host_.wakes.wait(table, news);
    host_.is_asleep = false;
    if (std::exchange(host_asks_, false)) ask_on_host(false, table);
  }
}

/// Does what is begun on the host, and waits for devices where its next work does.
void engine_core::work_on_host() noexcept {
  detail::sleep_exactly();
  table_guard table{table_lock_};
  while (true) {
    host_.is_busy = false;
    wait_on_host(table);
    host_.is_busy = true;
    if (host_.next != nullptr)
      do_on_seat(std::exchange(host_.next, nullptr), table);
    else if (const work_ptr first = all_.next_of(host()); first != nullptr)
      go_on(first, table);
    else
      return;
  }
}

}  // namespace yoke::flow
