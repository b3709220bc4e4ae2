#pragma once
/// What is kept of a task until it is over.

#include "slab.hpp"

#include <cstdint>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

enum class task_state : std::uint8_t {
  over,
  waiting,  ///< for what it comes after to be bound
  ready,
  bound,
  running,
  passed  ///< cancelled: over when what it comes after is
};

struct task_record {
  std::uint64_t order = 0;  ///< in which it was told, from 1
  seconds ready_at = 0;     ///< what it comes after has ended, as far as that is estimated
  seconds begin = 0;        ///< from when it is bound; begun when it runs
  double work = 1;
  void* own = nullptr;  ///< of the request
  seconds time = 0;     ///< estimated; 0: nothing is known
  int priority = 0;
  std::uint32_t generation = 0;  ///< how many tasks stood here before
  std::uint32_t kind = 0;        ///< in kind_times
  std::uint32_t list = 0;        ///< in unit_lists
  std::uint32_t first_successor = none, first_use = none;
  std::uint32_t n_unbound = 0, n_unended = 0;  ///< of those that it comes after
  std::int32_t unit = -1;                      ///< the first of those that it is bound to
  task_state state = task_state::over;
  bool tries = false;         ///< is the one that measures its kind there
  bool is_cancelled = false;  ///< while it waits

  bool is_bound() const { return state == task_state::bound || state == task_state::running; }
};

/// In lists of their own, linked.
struct successor_link {
  std::uint32_t task = none, next = none;
};
struct use_link {
  std::uint32_t piece = none, next = none;
  bool reads = false, writes = false;
};

}  // namespace yoke::scheduling
