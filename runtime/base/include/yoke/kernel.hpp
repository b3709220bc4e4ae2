#pragma once
/// Kernels that run on a CPU, on the emulated device and on a GPU, from one source.
///
///   struct scale {
///     YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x, double factor) const {
///       x[at.x] *= factor;
///     }
///   };
///   yoke::launch<scale>(device, stream, {.x = n}, "scale", x, 2.0);
///
/// The file that calls launch must be compiled by nvcc or hipcc for a GPU of that vendor (CMake:
/// yoke_kernel_sources). Arguments are trivially copyable values; a raw pointer is refused at compile time.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/device.hpp>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define YOKE_HD __host__ __device__
#define YOKE_GPU_COMPILER 1
#define YOKE_LAUNCHERS launchers_with_gpu
#else
#define YOKE_HD
#define YOKE_GPU_COMPILER 0
#define YOKE_LAUNCHERS launchers_without_gpu
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define YOKE_DEVICE_PASS 1
#else
#define YOKE_DEVICE_PASS 0
#endif

namespace yoke {

namespace detail {
/// The address range that device_ptr accepts on this host thread, and what turns it into host addresses.
/// While no emulated kernel runs: every address, unchanged.
struct address_window {
  std::uintptr_t first = 0;
  std::uintptr_t last = ~std::uintptr_t{0};
  std::ptrdiff_t offset = 0;
};
/// Inline, so that a loop over items looks it up once instead of calling a function for every access.
inline constinit thread_local address_window window_of_this_thread{};
inline address_window& this_threads_window() noexcept { return window_of_this_thread; }
[[noreturn]] void foreign_address(std::uintptr_t address, const address_window& window);
}  // namespace detail

/// A pointer into one memory space, as kernels receive it, also inside tables in device memory.
/// On a GPU get() is the identity. On the emulated device it translates to the host page behind the address
/// and refuses addresses of other spaces (usage error naming the address). On a CPU CU it holds a host
/// address.
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
    return address_;
#else
    const detail::address_window& window = detail::this_threads_window();
    const auto address = reinterpret_cast<std::uintptr_t>(address_);
    if (address < window.first || address >= window.last) detail::foreign_address(address, window);
    return reinterpret_cast<T*>(address + static_cast<std::uintptr_t>(window.offset));
#endif
  }
  YOKE_HD T& operator[](std::int64_t i) const { return get()[i]; }
  YOKE_HD T& operator*() const { return *get(); }
  YOKE_HD friend device_ptr operator+(device_ptr p, std::int64_t n) { return device_ptr{p.address_ + n}; }
  YOKE_HD explicit operator bool() const { return address_ != nullptr; }

 private:
  T* address_ = nullptr;
};

/// The item a kernel is called for: 0 <= x < extent.x, 0 <= y < extent.y.
struct item {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

namespace detail {

template <class... Args>
struct pack {};
template <class First, class... Rest>
struct pack<First, Rest...> {
  First first;
  pack<Rest...> rest;
};
YOKE_HD inline pack<> make_pack() { return {}; }
template <class First, class... Rest>
YOKE_HD pack<First, Rest...> make_pack(First first, Rest... rest) {
  return {first, make_pack(rest...)};
}
template <class Kernel, class... Done>
YOKE_HD void apply(item at, const pack<>&, const Done&... done) {
  Kernel{}(at, done...);
}
template <class Kernel, class First, class... Rest, class... Done>
YOKE_HD void apply(item at, const pack<First, Rest...>& args, const Done&... done) {
  apply<Kernel>(at, args.rest, done..., args.first);
}

template <class Kernel, class Pack>
void run_on_host(const void* arguments, std::int64_t y, std::int64_t first_x, std::int64_t last_x) {
  const Pack& args = *static_cast<const Pack*>(arguments);
  for (std::int64_t x = first_x; x < last_x; ++x) apply<Kernel>(item{x, y}, args);
}

template <class Kernel>
constexpr int block_of() {
  if constexpr (requires { Kernel::block; }) return Kernel::block;
  return kernel_call{}.block;
}

#if YOKE_GPU_COMPILER
// Without the bound a kernel with a large block may get more registers than an SM has.
template <class Kernel, class Pack>
__global__ void __launch_bounds__(block_of<Kernel>()) run_on_gpu(const Pack args, extent items) {
  const item at{static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                static_cast<std::int64_t>(blockIdx.y)};
  if (at.x < items.x) apply<Kernel>(at, args);
}
#endif

template <class Arg>
inline constexpr bool is_kernel_argument = std::is_trivially_copyable_v<Arg> && !std::is_pointer_v<Arg>;

}  // namespace detail

// A kernel may be launched by files of both kinds. What makes the call has then another name in each: were it
// one function, the linker would keep either, perhaps that without a GPU entry.
inline namespace YOKE_LAUNCHERS {

/// A call of `Kernel` over `items` for device::launch; `storage` receives the arguments and must outlive the
/// call.
template <class Kernel, class... Args>
kernel_call make_kernel_call(const char* name, extent items, detail::pack<Args...>& storage) {
  static_assert(std::is_empty_v<Kernel>,
                "a kernel is a stateless function object; pass its data as arguments");
  static_assert(
      (detail::is_kernel_argument<Args> && ...),
      "a kernel argument is a trivially copyable value and never a raw pointer: use yoke::device_ptr");
  using pack = detail::pack<Args...>;
  kernel_call call{.name = name, .items = items, .block = detail::block_of<Kernel>()};
#if YOKE_GPU_COMPILER
  call.gpu_entry = reinterpret_cast<const void*>(&detail::run_on_gpu<Kernel, pack>);
#endif
  call.host_entry = &detail::run_on_host<Kernel, pack>;
  call.arguments = &storage;
  call.argument_bytes = sizeof(pack);
  return call;
}

/// Runs `Kernel` for every item of `items` on `stream` of `dev`, asynchronously. Nothing is launched for an
/// empty extent.
template <class Kernel, class... Args>
void launch(device& dev, stream_handle stream, extent items, const char* name, Args... args) {
  if (items.x <= 0 || items.y <= 0) return;
  auto storage = detail::make_pack(args...);
  dev.launch(stream, make_kernel_call<Kernel>(name, items, storage));
}

}  // namespace YOKE_LAUNCHERS

/// Runs `Kernel` for items [first, last) of row y on the calling host thread: what a CPU CU calls.
template <class Kernel, class... Args>
void run_on_host(std::int64_t y, std::int64_t first, std::int64_t last, Args... args) {
  for (std::int64_t x = first; x < last; ++x) Kernel{}(item{x, y}, args...);
}

}  // namespace yoke
