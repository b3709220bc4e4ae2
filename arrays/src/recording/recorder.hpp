#pragma once
/// Lists what is called inside record.

#include "../memory/array_state.hpp"
#include "recorded_steps.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace yoke::detail {

class recorder {
 public:
  /// Calls of this thread are listed while it lives.
  explicit recorder(runtime& rt);
  /// Swaps are undone unless finish has been called.
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  /// Of the calling thread; null outside of record.
  static recorder* current();

  const array_context& context() const { return *context_; }
  void add(std::unique_ptr<loop> all, std::unique_ptr<loop_body> body);
  void exchange(array_state& of, const halo_state& wanted);
  void swap(array_state& a, array_state& b);
  ended_in_turn<recorded_steps> finish();

 private:
  /// Remembers the contents that it has before the first swap.
  void bind(array_state& state);
  bool has_ended(const array_state* each) const;
  /// Errors: usage_error for an array that has ended, or has other contents than at the beginning.
  void check_arrays() const;
  void undo_swaps();

  std::shared_ptr<array_context> context_;
  const std::unique_lock<turns> guard_;  ///< nobody moves cuts or makes arrays between its calls
  std::vector<recorded_step> steps_;
  std::vector<bound_array> arrays_;
  std::vector<std::pair<array_state*, array_state*>> swaps_;
};

}  // namespace yoke::detail
