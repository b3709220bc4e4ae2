#pragma once
/// Brings what lies beside own elements from the memory where it is own.

#include "contents.hpp"

#include <optional>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/event.hpp>

namespace yoke::detail {

/// Copies between memories in the order of streams. Whoever reads what a device wrote comes after it, and
/// what is read is not overwritten before.
class ordered_copies {
 public:
  explicit ordered_copies(const array_context& context);

  void add(const gpu_unit* from, const gpu_unit* to, const box_copy& what);
  /// After the last one: sources may go on when they have been read.
  void close();
  /// Until copies from and to the host have happened.
  void wait_on_host();

 private:
  struct at_gpu {
    std::optional<event> ready;       ///< of what it had queued before the first copy from it
    std::vector<const gpu_unit*> to;  ///< devices that read from it
    bool meets_host = false;
  };

  at_gpu& of(const gpu_unit& gpu) { return gpus_[static_cast<std::size_t>(gpu.unit - context_.n_cpu_units)]; }
  void between(const gpu_unit& from, const gpu_unit& to, const box_copy& what);

  const array_context& context_;
  std::vector<at_gpu> gpus_;
  std::vector<event> host_waits_;
};

/// The exchange of one array: queued when it is made, where something is not current.
class halo_exchange {
 public:
  halo_exchange(contents& of, const halo_state& wanted, ordered_copies& copies);
  /// After ordered_copies::wait_on_host: what the host does itself.
  void finish_on_host() const;

 private:
  void queue_around(const index_set& own, store& to, ordered_copies& copies) const;
  void fill_pads(const store& in) const;
  void fill_pads(const store& in, const index_set& around, int d) const;

  contents& of_;
};

}  // namespace yoke::detail
