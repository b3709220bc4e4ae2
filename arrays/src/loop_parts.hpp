#pragma once
/// What a loop is made of.

#include "array_state.hpp"
#include "exchange.hpp"
#include "recorded_memory.hpp"
#include "shares.hpp"

#include <mutex>
#include <span>
#include <vector>

#include <yoke/loop.hpp>

namespace yoke::detail {

/// One array of a loop.
struct used_array {
  array_state* state;
  contents* elements;
  role how;
  bool has_halo = false;
  bool is_transposed = false;  ///< index (i, j) of the loop is (j, i) of the array
  halo_state declared{};       ///< elements beside own ones that it reads, as far as there are any
  halo_state wanted{};         ///< what of that must be brought
};

struct loop_parts {
  std::shared_ptr<array_context> keeps;
  array_context& context;
  const char* name;
  any_box over;
  std::vector<used_array> uses;
  taking_part who{};
  const contents* leader = nullptr;  ///< whose owner computes; null: the indices are shared evenly
  std::unique_lock<std::recursive_mutex> guard{};
  ordered_copies copies;
  std::vector<halo_exchange> exchanges{};
  recorded_memory* recorded = nullptr;  ///< of the recording that the loop is part of

  bool takes_part(int unit) const { return unit < context.n_cpu_units ? who.cpus : who.gpus; }
  /// Whether reductions take what the unit computes.
  bool is_counted(int unit) const {
    return leader == nullptr || unit < context.n_cpu_units || leader->shape().home_of(unit) == unit;
  }
  /// Indices that the unit runs.
  share share_of(int unit) const;
  /// Without arrays: those for whose kind there is a body share the indices evenly.
  share even_share_of(int unit) const;
  void run_gpus(const part_body& body);
  bool any_on_cpus() const;
  void run_cpus(const part_body& body);
  /// On the calling thread, which is the unit's for a CPU CU.
  void run_unit(int unit, const part_body& body);
};

/// On the calling CPU CU; `checks`: the indices of views while it runs.
void run_on_cpus(kernel_call call, bool checks);

/// Finds the leader. Errors: usage_error for uses that do not go together.
void check_uses(loop_parts& parts);

}  // namespace yoke::detail
