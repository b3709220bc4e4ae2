#pragma once
/// The elements of an array, in the memories where its parts are.

#include "store.hpp"

#include <memory>
#include <vector>

#include <yoke/box_copy.hpp>

namespace yoke::detail {

/// Which elements beside own ones are current.
struct halo_state {
  std::int64_t low = 0, high = 0;  ///< rows of each part
  bool inner = false;              ///< pads of dimensions 1, 2, 3, of own rows and of these

  bool covers(const halo_state& wanted) const {
    return low >= wanted.low && high >= wanted.high && (inner || !wanted.inner);
  }
};

class contents {
 public:
  /// `user`: where elements come from, dense; null for zeros. Errors: out_of_memory.
  contents(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape, std::byte* user);
  ~contents();
  contents(const contents&) = delete;
  contents& operator=(const contents&) = delete;

  const layout& shape() const { return *shape_; }
  const std::shared_ptr<const layout>& shared_shape() const { return shape_; }
  array_context& context() const { return *context_; }
  store& host() { return host_; }
  const store& host() const { return host_; }
  std::vector<store>& gpus() { return gpus_; }
  store& of_unit(int unit);
  /// Whether the host's own rows are used where the user has them.
  bool is_in_user_memory() const { return host_.first != nullptr && host_.memory == nullptr; }

  /// Whether a memory has room for rows that are own in another one, or at an edge.
  bool has_rows_to_exchange() const { return has_rows_to_exchange_; }

  std::byte* row(const store& in, std::int64_t row) const {
    return in.first + static_cast<std::int64_t>(shape_->row_bytes()) * (row - in.room.begin);
  }

  /// Queues what brings own rows to a GPU where they are not there yet.
  void load(store& part);
  /// Other parts with the same elements, which are there already; the present ones are swapped into `gpus`
  /// and `host`.
  void exchange_parts(std::shared_ptr<const layout>& shape, store& host, std::vector<store>& gpus);
  /// All of them where they come from a user's memory, which is no source from here on.
  void leave_source();
  /// Own rows to the user's dense array; has happened on return.
  void read(std::byte* to_dense) const;
  /// All rows from a dense array; has happened on return.
  void write(const std::byte* from_dense);

  halo_state current{};

 private:
  void make_host(std::byte* user);
  void find_rows_to_exchange();
  void zero(const store& part) const;
  void copy_out(const store& from, std::byte* to_dense) const;
  void read_gpus(std::byte* to_dense) const;
  template <class Queue>
  void queue_and_wait(const Queue& queue) const;
  void copy_unloaded(const store& from, std::byte* to_dense) const;
  void copy_in(const store& to, const std::byte* from_dense) const;

  std::shared_ptr<array_context> context_;
  std::shared_ptr<const layout> shape_;
  const std::byte* source_;
  bool has_rows_to_exchange_ = false;
  store host_;
  std::vector<store> gpus_;
};

/// Queues a copy of which one end at least is on a device: on the stream of the destination, or of the source
/// where that is the host. A copy inside the host is done at once.
void queue_copy(const gpu_unit* from, const gpu_unit* to, box_copy what);
/// Waits for all that is queued. Errors: device_error.
void wait_for(std::span<const gpu_unit> gpus);

}  // namespace yoke::detail
