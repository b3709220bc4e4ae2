// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Objects that are placed: a region that a program owns. Where a CU asks for one, its bytes are brought into
/// that CU's memory.
///
///   std::vector<double> values(n);
///   yoke::placed<double> x{rt, values};              // a region while x lives
///   yoke::placed<double> y{rt, n};                   // the same without host memory
///   rt.run(loop, [&](std::span<const yoke::task_id> batch) {
///     yoke::launch_here<axpy>({.x = n}, "axpy", 2.0, std::as_const(x), y);  // reads x, writes y
///   });
///   const std::span<double> result = y.host();       // brought back where it was elsewhere
///
/// What is asked of a placed object that is not const counts as a write: the region is placed where it was
/// asked for, and copies for reading elsewhere are stale. What is asked of a const one reads: the region
/// stays where it is placed, and the CU gets a copy, which serves until the next write.
///
/// Order. Whatever moves, reads or overwrites a copy waits for the kernels that were launched with the object
/// and use that copy, and for these alone. Where a GPU CU was given a plain address (here, read_here),
/// kernels that use it are unknown: then what another CU does waits for the device, unless that CU has waited
/// for its stream since, as it does at the end of each batch and in cu::synchronize. So an address serves
/// until then, or until the object is asked for elsewhere. Among CUs that use an object in one pass the
/// program sees to it that none of them asks to write while others use it.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <yoke/detail/checked_size.hpp>
#include <yoke/detail/takes_roles.hpp>
#include <yoke/ids.hpp>
#include <yoke/kernel.hpp>
#include <yoke/region_table.hpp>
#include <yoke/type_name.hpp>
#include <yoke/usage.hpp>

namespace yoke {

namespace detail {

using access = versions::usage;

/// What a placed object is without its type. Errors of all members that ask: usage_error for one that was
/// moved from or made without a region, and where its runtime has ended; out_of_memory, device_error.
class placed_region {
 public:
  placed_region() = default;
  placed_region(region_table& regions, const void* start, std::size_t bytes, const region_label& label);
  placed_region(region_table& regions, std::size_t bytes, const region_label& label);
  ~placed_region();
  placed_region(placed_region&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
  placed_region& operator=(placed_region&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  key start() const;
  std::size_t bytes() const noexcept;
  space_id placement() const;
  /// Its address in the space of the calling CU.
  void* here(access how) const;
  void* on_host(access how) const;

  struct handle;  ///< the region and the runtime it belongs to
  const handle& get() const;

 private:
  handle* handle_ = nullptr;
};

/// One use of a region by a call that takes several.
struct region_use {
  const placed_region* region;
  access how;
  void* address = nullptr;  ///< out: in the space of the calling CU
};

/// Regions that a kernel on the calling CU is about to use: brought there, with all that the kernel must not
/// overlap before it on the CU's stream. Until this object goes, no other thread changes them on a GPU CU. On
/// a CPU CU, whose kernels have run when they return, everything has happened when it is made.
class launch_regions {
 public:
  /// Fills in the addresses. Errors: usage_error outside of parallel regions, and for regions of a runtime
  /// that is not the current one.
  explicit launch_regions(std::span<region_use> uses);
  ~launch_regions();
  launch_regions(const launch_regions&) = delete;
  launch_regions& operator=(const launch_regions&) = delete;

  /// The kernel has been launched: from here on it is waited for.
  void launched();

 private:
  struct held;
  std::unique_ptr<held> held_;  ///< null where there is nothing to wait for
};

void bring_here(std::span<region_use> uses);
void prefetch(const placed_region& region, access how, unit_id unit);

}  // namespace detail

/// What a region can belong to: a yoke::runtime.
template <class Runtime>
concept has_memory = requires(Runtime& rt) {
  { rt.memory() } -> std::same_as<region_table&>;
};

/// `size` values of T, 0 too, that are a region while the object lives. It may outlive the runtime: what is
/// asked of it then is a usage_error, and its end does nothing. Errors: see detail::placed_region; of the
/// constructors those of region_table.
template <class T>
class placed : roles::takes_roles {
  static_assert(std::is_trivially_copyable_v<T>, "the bytes of a placed object travel");
  static_assert(!std::is_const_v<T>, "ask a const placed<T> for values that are read only");

 public:
  using value_type = T;

  /// No region: all but destruction and assignment is a usage_error.
  placed() = default;
  /// The values are `on_host`, which must live as long. `name` is what messages call the object.
  template <has_memory Runtime>
  placed(Runtime& rt, std::span<T> on_host, std::string_view name = {})
      : region_{rt.memory(), on_host.data(), on_host.size_bytes(), label(name)} {}
  /// `size` values without host memory, placed nowhere: who asks for them first decides, and finds zeros on
  /// the host and anything on a device.
  template <has_memory Runtime>
  placed(Runtime& rt, std::size_t size, std::string_view name = {})
      : region_{rt.memory(), detail::bytes_of_elements("yoke::placed", size, sizeof(T)), label(name)} {}

  /// For the free functions of yoke::placement; unregister_mem alone refuses it.
  yoke::key key() const { return region_.start(); }
  std::size_t size() const noexcept { return region_.bytes() / sizeof(T); }
  /// Where it is placed; -1 for nowhere.
  space_id where() const { return region_.placement(); }

  /// Its address in the memory of the CU that calls, where work that is queued on that CU's stream finds the
  /// bytes. Outside of parallel regions that is the host's.
  device_ptr<T> here() { return device_ptr<T>{static_cast<T*>(region_.here(detail::access::write))}; }
  device_ptr<const T> here() const { return read_here(); }
  device_ptr<const T> read_here() const {
    return device_ptr<const T>{static_cast<const T*>(region_.here(detail::access::read))};
  }
  /// On the host, all bytes there on return, whoever calls.
  std::span<T> host() { return {static_cast<T*>(region_.on_host(detail::access::write)), size()}; }
  std::span<const T> host() const {
    return {static_cast<const T*>(region_.on_host(detail::access::read)), size()};
  }

  /// For calls that take placed objects of several types.
  detail::region_use use() { return {&region_, detail::access::write}; }
  detail::region_use use() const { return {&region_, detail::access::read}; }

 private:
  static detail::region_label label(std::string_view name) {
    return {.name = name, .element = detail::type_name<T>()};
  }

  detail::placed_region region_;
};

template <class T>
inline constexpr bool is_placed = false;
template <class T>
inline constexpr bool is_placed<placed<T>> = true;

/// Brings them into the memory of the calling CU, the const ones as copies for reading. All copies are queued
/// before anyone waits for one. When one cannot be queued, those before it have been. An error that a device
/// reports later leaves the bytes of that region undefined.
template <class... Placed>
  requires(is_placed<std::remove_const_t<Placed>> && ...)
void bring_here(Placed&... all) {
  if constexpr (sizeof...(all) > 0) {
    detail::region_use uses[] = {all.use()...};
    detail::bring_here(uses);
  }
}

/// Queues what brings `x` into the memory of `unit`, a const one as a copy for reading, and waits for nothing
/// but kernels that still use a copy there. Whoever asks for x next finds it on its way.
template <class Placed>
  requires is_placed<std::remove_const_t<Placed>>
void prefetch(Placed& x, unit_id unit) {
  const detail::region_use use = x.use();
  detail::prefetch(*use.region, use.how, unit);
}

}  // namespace yoke
