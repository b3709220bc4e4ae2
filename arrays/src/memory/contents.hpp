#pragma once
/// The elements of an array, in the memories where its parts are.

#include "halo_streams.hpp"
#include "messages.hpp"
#include "store.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include <yoke/box_copy.hpp>

namespace yoke::detail {

/// By number: 0 is the host, GPU i is i + 1.
using memory_set = std::set<int>;

/// Which elements beside own ones are current, or are to be.
struct halo_state {
  std::array<std::int64_t, 4> low{}, high{};  ///< of each part, in each dimension
  bool corners = false;                       ///< what lies beside a part in two cut dimensions and more, too
  memory_set all_in{};                        ///< memories that have all elements, but for what has
  any_box changed = no_elements();            ///< since, which is in the memory of its owner

  bool covers(const halo_state& wanted) const;
  bool reaches_out(int d) const;
  /// What is left of it when these elements have been written.
  halo_state after_write(const any_box& of) const;
  static any_box no_elements();
};
/// What is current when `wanted` has been brought where `current` was.
halo_state merged(const halo_state& wanted, const halo_state& current);
/// All that is declared.
halo_state whole_halo(const layout& shape);

class contents {
 public:
  /// `user`: where elements come from, dense; null for zeros. `name`: of the array, for messages.
  /// `is_const`: nobody writes to `user`. Errors: out_of_memory.
  contents(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape, std::byte* user,
           std::string name, bool is_const = false);
  ~contents();
  contents(const contents&) = delete;
  contents& operator=(const contents&) = delete;

  const layout& shape() const { return *shape_; }
  const std::shared_ptr<const layout>& shared_shape() const { return shape_; }
  array_context& context() const { return *context_; }
  const std::shared_ptr<array_context>& shared_context() const { return context_; }
  store& host() { return host_; }
  const store& host() const { return host_; }
  std::vector<store>& gpus() { return gpus_; }
  store& of_unit(int unit);
  /// Where a unit's elements are: in the memory of `asking`, null for the host, if they are there too.
  const store& nearest(int unit, const gpu_unit* asking) const;
  /// Whether any of these lacks an element that is own in another memory.
  bool travels_to(const memory_set& memories) const;
  /// Whether the host's own elements are used where the user has them.
  bool is_in_user_memory() const { return host_.at.first != nullptr && host_.memory == nullptr; }

  /// Whether a memory has room, along this dimension, which is cut, for elements that are own in another one,
  /// or at an edge.
  bool has_halo_to_exchange(int d) const { return has_halo_to_exchange_[static_cast<std::size_t>(d)]; }

  /// Whether each memory has room for all elements.
  bool holds_all_everywhere() const;
  /// Queues what brings own elements to a GPU where they are not there yet.
  void load(store& part);
  /// Other parts with the same elements, which are there already; the present ones are swapped into `gpus`
  /// and `host`.
  void exchange_parts(std::shared_ptr<const layout>& shape, store& host, std::vector<store>& gpus);
  /// All of them where they come from a user's memory, which is no source from here on.
  void leave_source();
  /// The host's own elements to memory that no user has. Requires: is_in_user_memory. Errors: out_of_memory.
  void leave_user_memory();
  /// Own elements to the user's dense array; has happened on return.
  void read(std::byte* to_dense) const;
  /// All elements, in each memory, from a dense array; has happened on return.
  void write(const std::byte* from_dense);

  /// No other contents of the process have it.
  std::uint64_t number() const { return number_; }

  std::string called;  ///< the array that has it, in messages
  halo_state current{};
  bool is_everywhere = false;  ///< memory that is made from here on has room for all elements
  message_pool messages{};
  std::shared_ptr<halo_streams> beside{};    ///< where its halos have travelled on them
  std::shared_ptr<result_memory> results{};  ///< where loops have used it that had results

 private:
  static std::uint64_t next_number();
  void make_host(std::byte* user, bool is_const);
  void find_halo_to_exchange();
  void zero(const store& part) const;
  /// An array of the user's.
  frame dense(const std::byte* memory) const;
  template <class F>
  void for_each_own(const store& of, const F& f) const;
  void copy_out(const store& from, std::byte* to_dense) const;
  void read_gpus(std::byte* to_dense) const;
  template <class Queue>
  void queue_and_wait(const Queue& queue) const;
  void copy_unloaded(const store& from, std::byte* to_dense) const;
  void copy_in(const store& to, const std::byte* from_dense) const;

  std::shared_ptr<array_context> context_;
  std::shared_ptr<const layout> shape_;
  const std::byte* source_;
  std::uint64_t number_ = next_number();
  std::array<bool, 4> has_halo_to_exchange_{};
  store host_;
  std::vector<store> gpus_;
};

/// f(store, index_set) for what makes up some elements: those in the memory of `to`, null for the host, from
/// there. Each time all pieces of a dimension have one length.
template <class F>
void for_each_source(const contents& of, const index_set& wanted, const gpu_unit* to, const F& f) {
  for (const cell& each : of.shape().cells) {
    const store& home = of.nearest(each.units.front(), to);
    for_each_common(each.what, wanted, [&](const index_set& what) { f(home, what); });
  }
}

/// Queues a copy of which one end at least is on a device: on the stream of the destination, or of the source
/// where that is the host. A copy inside the host is done at once.
void queue_copy(const gpu_unit* from, const gpu_unit* to, box_copy what);
/// The same for elements.
void queue_copy(const gpu_unit* from, const gpu_unit* to, const element_copy& what);
/// Waits for all that is queued. Errors: device_error.
void wait_for(std::span<const gpu_unit> gpus);

}  // namespace yoke::detail
