#pragma once
/// What a loop is made of.

#include "../halos/exchange.hpp"
#include "../memory/array_state.hpp"
#include "../memory/recorded_memory.hpp"
#include "../shapes/shares.hpp"
#include "shared_tiles.hpp"

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <yoke/detail/loop.hpp>

namespace yoke::detail {

struct dealt_loops;

/// One array of a loop.
struct used_array {
  array_state* state;
  contents* elements;
  role how;
  bool has_halo = false;
  bool is_transposed = false;  ///< index (i, j) of the loop is (j, i) of the array
  bool is_everywhere = false;  ///< all elements are read by each unit that runs any
  bool is_result = false;      ///< of a reduction
  halo_state declared{};       ///< elements beside own ones that it reads, as far as there are any
  halo_state wanted{};         ///< what of that must be brought
  /// The dimension of the loop along which each dimension that is cut goes; none for a transposed one.
  std::array<int, 4> along{0, 1, 2, 3};
};

/// Bytes of a GPU that go to the host when all units have been told what to do: the host waits for them.
struct copy_to_host {
  const gpu_unit* from;
  void* to;
  const void* bytes_at;
  std::size_t bytes;
};

struct loop_parts {
  std::shared_ptr<array_context> keeps;
  array_context& context;
  const char* name;
  any_box over;
  std::vector<used_array> uses;
  taking_part who{};
  const contents* leader = nullptr;       ///< whose owner computes
  array_state* aligned = nullptr;         ///< whose contents lead because the loop is aligned with them
  std::shared_ptr<const layout> own{};    ///< of the loop, in place of a leader's
  std::optional<loop_sharing> made_of{};  ///< what the program has asked for that
  std::vector<bound> dealt{};             ///< of dimension 0, to each unit, where there is neither
  dealt_loops* deals = nullptr;           ///< that learn how; null where one unit has all
  std::unique_lock<turns> guard{};
  ordered_copies copies;
  std::vector<halo_exchange> exchanges{};
  std::vector<copy_to_host> results{};
  std::shared_ptr<halo_streams> beside{};  ///< where halos travel if the loop runs meanwhile
  recorded_memory* recorded = nullptr;     ///< of the recording that the loop is part of
  std::optional<bool> counted{};           ///< whether it is to be timed, where that was asked already
  std::optional<shared_tiles> tiles{};     ///< that CPU CUs share, while they run

  bool takes_part(int unit) const { return unit < context.n_cpu_units ? who.cpus : who.gpus; }
  /// Whether reductions take what the unit computes.
  bool is_counted(int unit) const {
    return shape() == nullptr || unit < context.n_cpu_units || shape()->home_of(unit) == unit;
  }
  /// That says who runs what; null: the indices are dealt.
  const layout* shape() const {
    return own != nullptr ? own.get() : leader != nullptr ? &leader->shape() : nullptr;
  }
  /// Indices that the unit runs.
  share share_of(int unit) const;
  /// What of the results is on this GPU, null for all, has been copied on return; the GPUs were waited for.
  void bring_results(const gpu_unit* from = nullptr);
  result_memory& result_memory_of_uses() const;
  /// What has to be brought, as arrays are cut now.
  void find_halos();
  /// Queues that.
  void bring_halos();
  /// What the host has of that has come on return.
  void finish_halos_on_host();
  void run_gpus(const part_body& body);
  /// Both, what reads no halo first; `has_results`: and a last, empty piece of each box behind all others.
  void run_gpus_beside(const part_body& body, bool has_results);
  bool any_on_cpus() const;
  /// Where units run any of the indices.
  memory_set memories_at_work() const;
  void run_cpus(const part_body& body);
  /// Before any CPU CU begins.
  void begin_on_cpus();
  /// On the thread of a CPU CU: its indices, or what it comes to take of those of all.
  void run_cpu(int unit, const part_body& body);
  /// On the calling thread.
  void run_unit(int unit, const part_body& body);
};

/// On the calling CPU CU; `checks`: the indices of views while it runs. `tiles`: it takes these in turns.
void run_on_cpus(kernel_call call, bool checks, shared_tiles* tiles = nullptr);

inline constexpr int no_dimension = -1;
/// Whether units have the same indices of the two dimensions.
bool are_cut_alike(const layout& a, int of_a, const layout& b, int of_b);
inline bool writes(const used_array& use) { return use.how != role::in; }
/// Whether bodies do, at their indices.
inline bool is_written(const used_array& use) { return writes(use) && !use.is_result; }
/// Elements that a loop over these indices may write.
any_box written_by(const any_box& over, const used_array& use);
[[noreturn]] void refuse(const loop_parts& parts, std::size_t use, const std::string& what);

/// Errors: usage_error for an array of another runtime.
void share_by_hand(loop_parts& parts, const loop_sharing& sharing);
/// A distribution of the loop's own, as balanced arrays are cut now. Errors: usage_error for one that a loop
/// cannot have.
void cut_own(loop_parts& parts);
/// Where the loop has a distribution of its own: each unit has the elements of its indices, and it is known
/// which dimension goes along which. Errors: usage_error.
void check_own_shares(loop_parts& parts, std::size_t use);
/// Where a loop writes nothing, and each unit that runs some of it has all that it reads: deals the indices
/// to those for whose kind there is a body, by what such loops were measured to take. Errors: usage_error
/// where no unit has all.
void deal(loop_parts& parts);
/// Errors: usage_error for more indices than a loop may have (most_indices), also in one dimension alone.
void check_number_of_indices(const char* name, const any_box& over);
/// Finds who runs what, and what it takes of halos. Errors: usage_error for uses that do not go together.
void check_uses(loop_parts& parts);

}  // namespace yoke::detail
