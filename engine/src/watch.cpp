// Who learns that work of devices is over where nobody waits for it.
#include "engine_core.hpp"

#include <chrono>

namespace yoke::flow {

namespace {

/// How late an end may be heard of: about what a launch and a wait take. To wake so often takes a few
/// hundredths of a CPU.
constexpr std::chrono::microseconds between_looks{20};

}  // namespace

/// Errors: std::system_error where the system gives no thread.
void engine_core::be_ready_to_watch() {
  if (!watcher_.joinable()) watcher_ = std::thread{[this] { keep_watching(); }};
}

void engine_core::keep_watching() noexcept {
  table_guard table{table_lock_};
  while (true) {
    has_watched_.wait(table, [this] { return !watched_.empty() || is_closing_; });
    if (watched_.empty()) return;
    const work_ptr next = watched_.front();
    if (!next->is_under_way()) {
      watched_.pop_front();
      continue;
    }
    look_for(next, table);
    has_watched_.wait_for(table, between_looks, [&] { return !next->is_under_way(); });
  }
}

/// Whatever of the queues is over, `what` among it as soon as it is.
void engine_core::look_for(const work_ptr& what, table_guard& table) {
  const versions::mark_ptr first = all_.held_up_by(what);
  const bool is_own = first != nullptr && first->by() == this;
  const lane_id on = is_own ? static_cast<const work&>(*first).lane() : host();
  if (first != nullptr && !is_own) {
    is_through(first, table);
    may_start_ = true;
  } else if (on > host() && !is_team(on)) {
    queue& of = *queue_at(on).of;
    table.unlock();
    of.see_to(first->number());
    table.lock();
  }
  look_at_queues(table);
  table.unlock();
  start_what_can();
  table.lock();
}

}  // namespace yoke::flow
