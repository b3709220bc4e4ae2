// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Pointers into the memory of a device, as kernels receive them.

#include <cstdint>
#include <type_traits>

#include <yoke/compiler.hpp>
#include <yoke/detail/address_window.hpp>

namespace yoke {

namespace detail {
/// The window of the calling thread, as numbers. It is const here, since no access changes it: a compiler may
/// ask once for all accesses of a function, whatever that stores meanwhile (clang: of numbers, not of a
/// struct).
extern constinit thread_local const std::uintptr_t numbers_of_window[4];

YOKE_INLINE address_window window_of_this_thread() {
  return {.first = numbers_of_window[0],
          .reach = numbers_of_window[1],
          .offset = static_cast<std::ptrdiff_t>(numbers_of_window[2]),
          .is_checked = numbers_of_window[3] != 0};
}

/// `wanted`, for a check of an access; but where the compiler estimates how large a function would be in its
/// caller, false: what runs only then is no part of the estimate.
///
/// The loop of a CPU CU knows that it needs no checks, and so do all functions that are compiled into it.
/// Which ones that are is decided before, by their estimated sizes: with the checks, a function would stay
/// outside that is compiled in with plain pointers, and the loop would not be vectorized. By definition
/// __builtin_constant_p is false of an object's address, so that no result ever depends on this. clang finds
/// that out last of all, and takes each address of an object for constant in its estimates.
YOKE_INLINE bool outside_of_estimates(bool wanted, [[maybe_unused]] std::uintptr_t address_of_an_object) {
#if defined(__clang__)
  return wanted & !__builtin_constant_p(address_of_an_object);
#else
  return wanted;
#endif
}
YOKE_INLINE bool outside_of_estimates(bool wanted) {
  return outside_of_estimates(wanted, reinterpret_cast<std::uintptr_t>(&all_addresses));
}

/// Of kernels that the calling host thread runs.
YOKE_INLINE bool are_accesses_checked() { return outside_of_estimates(window_of_this_thread().is_checked); }

/// Where the memory behind the address is for the calling host thread.
template <class T>
YOKE_INLINE T* host_address(T* in_space) {
  return reinterpret_cast<T*>(const_cast<char*>(reinterpret_cast<const volatile char*>(in_space)) +
                              window_of_this_thread().offset);
}
template <class T>
YOKE_INLINE T* checked_host_address(T* in_space) {
  const auto address = reinterpret_cast<std::uintptr_t>(in_space);
  const address_window accepted = window_of_this_thread();
  const bool is_foreign = address - accepted.first > accepted.reach;
  if (outside_of_estimates(is_foreign)) foreign_address(address);
  YOKE_ASSUME(!is_foreign);  // else each access by this address would look again
  return host_address(in_space);
}

/// Tells the compiler that the function runs where nothing is checked or translated.
YOKE_INLINE void assume_host_addresses() {
  const address_window window = window_of_this_thread();
  YOKE_ASSUME(window.first == all_addresses.first && window.reach == all_addresses.reach);
  YOKE_ASSUME(window.offset == all_addresses.offset && window.is_checked == all_addresses.is_checked);
}
}  // namespace detail

/// A pointer into one memory space, as kernels receive it, also inside tables in device memory. It is one
/// address wide, owns nothing and is copied like a pointer.
///
///   void* const where = dev.allocate(n * sizeof(double));
///   yoke::launch<scale>(dev, stream, {.x = n}, "scale",
///                       yoke::device_ptr<double>{static_cast<double*>(where)}, 2.0);
///
/// On a GPU get() is the identity. On the emulated device it translates to the host page behind the address
/// and refuses addresses of other spaces (usage error naming the address). On a CPU CU it holds a host
/// address. The host itself must not dereference one that it did not fill with a host address: where the
/// device is emulated, that fails with a message, and on a GPU without one.
template <class T>
class device_ptr {
 public:
  device_ptr() = default;
  YOKE_HD explicit device_ptr(T* address) : address_{address} {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  YOKE_HD device_ptr(device_ptr<U> other) : address_{other.address()} {}

  /// The address in its own space; not to be dereferenced on the host.
  YOKE_HD T* address() const { return address_; }
  YOKE_INLINE YOKE_HD T* get() const {
#if YOKE_DEVICE_PASS
    return detail::in_device_memory(address_);
#else
    return detail::checked_host_address(address_);
#endif
  }
  /// Elements, as of a pointer; there is no bound to check. A view (view.hpp) has one.
  YOKE_INLINE YOKE_HD T& operator[](std::int64_t i) const { return get()[i]; }
  YOKE_INLINE YOKE_HD T& operator*() const { return *get(); }
  YOKE_HD friend device_ptr operator+(device_ptr p, std::int64_t n) { return device_ptr{p.address_ + n}; }
  YOKE_HD explicit operator bool() const { return address_ != nullptr; }

 private:
  T* address_ = nullptr;
};

}  // namespace yoke
