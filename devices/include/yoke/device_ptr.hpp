#pragma once
/// Pointers into the memory of a device, as kernels receive them.

#include <cstdint>
#include <type_traits>

#include <yoke/compiler.hpp>

namespace yoke {

namespace detail {
/// The addresses that device_ptr accepts on a host thread, first and last included, and what turns them into
/// host addresses.
struct address_window {
  std::uintptr_t first = 0;
  std::uintptr_t last = ~std::uintptr_t{0};
  std::ptrdiff_t offset = 0;
};
/// Every address, unchanged: the window of all threads but those of emulated devices.
inline constexpr address_window all_addresses{};
/// A thread's answer never changes once it has been asked, so the compiler may ask once for all accesses of a
/// function, whatever that stores meanwhile.
[[gnu::const]] const address_window& window_of_this_thread() noexcept;
/// For a thread that has not run a kernel yet; `window` must live as long as the thread does.
void use_window_in_this_thread(const address_window& window) noexcept;
[[noreturn]] void foreign_address(std::uintptr_t address, const address_window& window);
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
  YOKE_HD T* get() const {
#if YOKE_DEVICE_PASS
    return detail::in_device_memory(address_);
#else
    const detail::address_window& window = detail::window_of_this_thread();
    const auto address = reinterpret_cast<std::uintptr_t>(address_);
    if (address < window.first || address > window.last) detail::foreign_address(address, window);
    return reinterpret_cast<T*>(address + static_cast<std::uintptr_t>(window.offset));
#endif
  }
  /// Elements, as of a pointer; there is no bound to check. A view (view.hpp) has one.
  YOKE_HD T& operator[](std::int64_t i) const { return get()[i]; }
  YOKE_HD T& operator*() const { return *get(); }
  YOKE_HD friend device_ptr operator+(device_ptr p, std::int64_t n) { return device_ptr{p.address_ + n}; }
  YOKE_HD explicit operator bool() const { return address_ != nullptr; }

 private:
  T* address_ = nullptr;
};

}  // namespace yoke
