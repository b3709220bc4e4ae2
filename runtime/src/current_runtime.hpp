#pragma once
/// Which runtime is current: the one whose run is in progress, else the last made current that still lives.

#include "trace_tracks.hpp"

#include <yoke/compute_units.hpp>
#include <yoke/region_table.hpp>

namespace yoke {

class runtime;

namespace detail {

/// A runtime with the parts that the rooms below know as current.
struct current_parts {
  runtime* owner = nullptr;
  compute_units* units = nullptr;
  region_table* regions = nullptr;
  trace_tracks* trace = nullptr;  ///< none where no trace is written
  const bool* checks = nullptr;   ///< whether YOKE_CHECK is on
};

/// Of the current runtime.
current_slot<const bool>& current_checks() noexcept;

/// Puts it on top; no effect on a run in progress. Thread-safe, as all of these.
void make_current(const current_parts& parts);
/// Forgets it; the one made current before it is current then.
void remove_current(const runtime* owner) noexcept;
/// nullptr when there is none. Errors: usage_error in a forked child.
runtime* find_current();

/// While it lives, its runtime is the current one whatever else is made current.
class current_during_run {
 public:
  explicit current_during_run(const current_parts& parts);
  ~current_during_run();
  current_during_run(const current_during_run&) = delete;
  current_during_run& operator=(const current_during_run&) = delete;
};

}  // namespace detail

}  // namespace yoke
