#pragma once
/// A step over zones as stages, between which halos are exchanged. Pure.

#include <cstddef>
#include <span>
#include <vector>

namespace yoke::detail {

/// What an operation does with the memory of a field.
struct storage_use {
  int storage = 0;
  bool reads_halo = false;
  bool writes = false;
  bool sends = false;  ///< and fills halos of neighbours that run with it
};
/// An operation of one step, by its number, with the storages that its fields have in that step.
struct stage_operation {
  int number = 0;
  std::vector<storage_use> uses;
};

/// Operations of one step between which nothing has to come from other zones.
struct stage {
  std::vector<int> exchanged;  ///< storages whose halos are filled before
  std::vector<int> handed{};   ///< those of them whose last writer has filled what it could
  std::vector<stage_operation> operations;
  std::vector<int> sent;  ///< storages whose faces are ready behind it, for the next stage that fills halos

  bool reads_halo_of(int storage) const;
  bool writes(int storage) const;
  /// The last operation that writes it fills halos.
  bool hands(int storage) const;
};

/// What halos need before the first step of a replay where fields have been written meanwhile.
enum class halo_need {
  none,     ///< they are filled, or not read, before anything
  faces,    ///< the first stage that fills them finds faces that nobody has sent
  refresh,  ///< they are read as they are
};

/// Steps that come again and again: swaps give fields their storages back after as many steps as there are.
class step_stages {
 public:
  /// `steps[k]`: operations of the k-th step of a period, in order.
  explicit step_stages(std::span<const std::vector<stage_operation>> steps);

  int period() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const stage> of_step(int k) const;
  const std::vector<stage>& all() const { return stages_; }
  /// Whether the next stage that fills halos of it, from step `k` of the period on, leaves some to its
  /// writer.
  bool is_handed_after(int k, int storage) const;
  /// For a replay that begins with step `k` of the period.
  halo_need need_of(int storage, int k) const;
  /// All storages that are used.
  std::vector<int> storages() const;

 private:
  void cut(std::span<const std::vector<stage_operation>> steps);
  void send();
  /// The stage that writes `storage` last before `stage`, which may be itself a period earlier; -1: none.
  int writer_before(int stage, int storage) const;

  std::vector<stage> stages_;
  std::vector<int> first_;  ///< stage of each step; one more behind the last
};

}  // namespace yoke::detail
