#pragma once
/// Brings what lies beside own elements from the memory where it is own.

#include "../memory/contents.hpp"
#include "halo_pieces.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/event.hpp>

namespace yoke::detail {

/// Bytes; a shorter row takes longer to begin than to travel, so such rows are packed.
inline constexpr std::size_t long_row = 512;

/// Copies between memories in the order of streams. Whoever reads what a device wrote comes after it, and
/// what is read is not overwritten before.
class ordered_copies {
 public:
  explicit ordered_copies(const array_context& context);

  /// Copies come behind what the CUs have been given, beside what they are given from here on; none goes to
  /// or from the host.
  void go_beside(std::shared_ptr<halo_streams> streams);
  /// The GPU CU with the stream that copies to it are queued on.
  const gpu_unit& receiver(const gpu_unit& gpu) const;
  void add(const gpu_unit* from, const gpu_unit* to, const box_copy& what);
  /// Copies from a device that are added later wait for what it has been given until now, too.
  void has_more_to_copy(const gpu_unit& from);
  /// After the last one: sources may go on when they have been read. Beside what runs that is for `join`.
  void close();
  /// After what runs beside them, and what was queued on receivers: CUs go on behind all of that.
  void join();
  /// Until copies from and to the host have happened.
  void wait_on_host();
  /// Of the time that all copies take, what those from and to the host do, by their bytes.
  double share_of_host() const;

 private:
  struct at_gpu {
    std::optional<event> ready;            ///< of what it had queued before a copy from it
    std::vector<const gpu_unit*> waiting;  ///< devices that wait for that
    std::vector<const gpu_unit*> readers;  ///< devices that read from it
    bool meets_host = false;
  };
  struct wait {
    event of;
    const gpu_unit* by;
  };

  at_gpu& of(const gpu_unit& gpu) {
    gpus_.resize(context_->gpus.size());  // most loops copy nothing
    return gpus_[static_cast<std::size_t>(gpu.unit - context_->n_cpu_units)];
  }
  void between(const gpu_unit& from, const gpu_unit& to, const box_copy& what);

  const array_context* context_;
  std::vector<at_gpu> gpus_;
  std::vector<event> host_waits_;
  std::vector<wait> waits_;  ///< of sources, until they are read
  std::size_t bytes_with_host_ = 0, bytes_between_gpus_ = 0;
  std::shared_ptr<halo_streams> beside_;
};

/// Elements around a part that one memory gets from another, or from another place in its own.
struct halo_copy {
  const store* to = nullptr;
  const store* from = nullptr;
  halo_piece what;
  /// Where it lies in the messages of both, if it is packed.
  std::size_t at_source = 0, at_target = 0;
};

/// The exchange of one array: queued when it is made, where something is not current. Rows that are short
/// travel together: packed where they are own, and unpacked where they arrive.
class halo_exchange {
 public:
  halo_exchange(contents& of, const halo_state& wanted, ordered_copies& copies);
  /// After ordered_copies::wait_on_host: what the host does itself.
  void finish_on_host() const;

 private:
  std::vector<halo_copy> find_copies() const;
  void find_copies(const index_set& own, store& to, std::vector<halo_copy>& all) const;
  /// Of all elements what these memories have not: of those that had them all, what has changed since.
  void find_everywhere(const memory_set& to, const halo_state& before, std::vector<halo_copy>& all) const;
  element_copy elements_of(const halo_copy& what) const;
  bool has_short_rows(const halo_copy& what) const;
  /// False where there is no memory for messages.
  bool reserve(std::span<halo_copy> packed);
  void queue_packed(std::span<halo_copy> packed, ordered_copies& copies);
  void pack(const halo_copy& what) const;
  void unpack(const halo_copy& what) const;
  void fill_pads(const store& in) const;
  void fill_pads(const store& in, const index_set& around, int d) const;

  contents& of_;
  std::shared_ptr<message_memory> messages_{};
  std::vector<halo_copy> for_host_{};  ///< packed
};

/// At once, of one array; the host has what comes to it on return.
void exchange_halos(contents& of, const halo_state& wanted);

}  // namespace yoke::detail
