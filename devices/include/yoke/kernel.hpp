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
///
/// The threads of a block kernel share memory on chip (see block.hpp):
///
///   struct sum_rows {
///     static constexpr int block = 64;
///     YOKE_HD void operator()(const yoke::block& b, yoke::device_ptr<const double> x,
///                             yoke::device_ptr<double> sums) const {
///       double* row = b.shared<double>();
///       b.for_each(64, [&](int i) { row[i] = x[64 * b.x + i]; });
///       b.for_each(1, [&](int) { for (int i = 0; i < 64; ++i) sums[b.x] += row[i]; });
///     }
///   };
///   yoke::launch_blocks<sum_rows>(device, stream, {.x = rows}, 64 * sizeof(double), "sum_rows", x, sums);

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <yoke/block.hpp>
#include <yoke/compiler.hpp>
#include <yoke/device.hpp>

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
    return detail::in_device_memory(address_);
#else
    const detail::address_window& window = detail::window_of_this_thread();
    const auto address = reinterpret_cast<std::uintptr_t>(address_);
    if (address < window.first || address > window.last) detail::foreign_address(address, window);
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
// Flat, so that also a large kernel becomes part of the loop over its items.
template <class Kernel, class At, class... Done>
YOKE_FLAT YOKE_HD void apply(const At& at, const pack<>&, const Done&... done) {
  Kernel{}(at, done...);
}
template <class Kernel, class At, class First, class... Rest, class... Done>
YOKE_FLAT YOKE_HD void apply(const At& at, const pack<First, Rest...>& args, const Done&... done) {
  apply<Kernel>(at, args.rest, done..., args.first);
}

/// The arguments are a copy of this function's own: what the kernel stores cannot change them.
template <class Kernel, class Pack>
YOKE_FLAT void run_items(const Pack args, const item_range& items) {
  const std::int64_t first_x = items.first_x, last_x = items.last_x, last_y = items.last_y;
  for (std::int64_t y = items.first_y; y < last_y; ++y) {
    for (std::int64_t x = first_x; x < last_x; ++x) apply<Kernel>(item{x, y}, args);
  }
}

/// The same where device_ptr has nothing to check or to translate, and the compiler knows it.
template <class Kernel, class Pack>
YOKE_FLAT void run_items_at_host_addresses(const Pack& args, const item_range& items) {
  if (&window_of_this_thread() != &all_addresses) __builtin_unreachable();
  run_items<Kernel>(args, items);
}

template <class Kernel, class Pack>
void run_on_host(const void* arguments, const item_range& items) {
  const Pack& args = *static_cast<const Pack*>(arguments);
  if (&window_of_this_thread() == &all_addresses) {
    run_items_at_host_addresses<Kernel>(args, items);
  } else {
    run_items<Kernel>(args, items);
  }
}

template <class Kernel>
constexpr int block_of() {
  if constexpr (requires { Kernel::block; }) return Kernel::block;
  return kernel_call{}.block;
}

template <class Kernel>
constexpr int min_blocks_of() {
  if constexpr (requires { Kernel::min_blocks; }) return Kernel::min_blocks;
  return 1;
}

/// The second launch bound of a block kernel: blocks of a processor for CUDA, for HIP waves of a SIMD, of
/// which a processor has four with 64 lanes each. Rounded down, so that a thread gets no fewer registers than
/// with CUDA.
template <class Kernel>
constexpr int occupancy_of() {
#if defined(__HIPCC__)
  constexpr int waves = min_blocks_of<Kernel>() * block_of<Kernel>() / (4 * 64);
  return waves > 1 ? waves : 1;
#else
  return min_blocks_of<Kernel>();
#endif
}

/// The arguments of a block kernel, with what its block needs to know.
template <class Pack>
struct block_arguments {
  std::size_t shared_bytes;
  Pack args;
};

/// Memory of the calling host thread that stands in for a block's: every byte 0xff, a NaN among doubles, so
/// that a kernel which reads what it has not written is found.
void* poisoned_shared_memory(std::size_t bytes);
/// Errors: usage_error when something was written behind the last call's memory.
void check_shared_memory(std::size_t bytes);

template <class Kernel, class Arguments>
void run_blocks_on_host(const void* arguments, const item_range& blocks) {
  const Arguments& of_block = *static_cast<const Arguments*>(arguments);
  const std::size_t bytes = of_block.shared_bytes;
  for (std::int64_t y = blocks.first_y; y < blocks.last_y; ++y) {
    for (std::int64_t x = blocks.first_x; x < blocks.last_x; ++x) {
      apply<Kernel>(yoke::block{x, y, block_of<Kernel>(), poisoned_shared_memory(bytes), bytes},
                    of_block.args);
      check_shared_memory(bytes);
    }
  }
}

#if YOKE_GPU_COMPILER
// Without the bound a kernel with a large block may get more registers than an SM has.
template <class Kernel, class Pack>
__global__ void __launch_bounds__(block_of<Kernel>()) run_on_gpu(const Pack args, extent items) {
  const item at{static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                static_cast<std::int64_t>(blockIdx.y)};
  if (at.x < items.x) apply<Kernel>(at, args);
}

struct alignas(16) shared_unit {
  unsigned char bytes[16];
};

template <class Kernel, class Arguments>
__global__ void __launch_bounds__(block_of<Kernel>(), occupancy_of<Kernel>())
    run_blocks_on_gpu(const Arguments of_block, extent) {
  extern __shared__ shared_unit shared_memory_of_block[];
  apply<Kernel>(yoke::block{static_cast<std::int64_t>(blockIdx.x), static_cast<std::int64_t>(blockIdx.y),
                            block_of<Kernel>(), shared_memory_of_block, of_block.shared_bytes},
                of_block.args);
}
#endif

template <class Arg>
inline constexpr bool is_kernel_argument = std::is_trivially_copyable_v<Arg> && !std::is_pointer_v<Arg>;

template <class Kernel, class... Args>
constexpr void require_kernel() {
  static_assert(std::is_empty_v<Kernel>,
                "a kernel is a stateless function object; pass its data as arguments");
  static_assert(
      (is_kernel_argument<Args> && ...),
      "a kernel argument is a trivially copyable value and never a raw pointer: use yoke::device_ptr");
}

}  // namespace detail

// A kernel may be launched by files of both kinds. What makes the call has then another name in each: were it
// one function, the linker would keep either, perhaps that without a GPU entry.
inline namespace YOKE_LAUNCHERS {

/// A call of `Kernel` over `items` for device::launch; `storage` has the arguments and must outlive the call.
template <class Kernel, class... Args>
kernel_call make_kernel_call(const char* name, extent items, detail::pack<Args...>& storage) {
  detail::require_kernel<Kernel, Args...>();
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

/// The same for a block kernel over `blocks` (x fastest), each with `shared_bytes` of memory on chip.
template <class Kernel, class... Args>
kernel_call make_block_call(const char* name, extent blocks,
                            detail::block_arguments<detail::pack<Args...>>& storage) {
  detail::require_kernel<Kernel, Args...>();
  static_assert(detail::min_blocks_of<Kernel>() >= 1);
  using arguments = detail::block_arguments<detail::pack<Args...>>;
  kernel_call call{.name = name, .items = blocks, .block = detail::block_of<Kernel>()};
#if YOKE_GPU_COMPILER
  call.gpu_entry = reinterpret_cast<const void*>(&detail::run_blocks_on_gpu<Kernel, arguments>);
#endif
  call.host_entry = &detail::run_blocks_on_host<Kernel, arguments>;
  call.arguments = &storage;
  call.argument_bytes = sizeof(arguments);
  call.by_blocks = true;
  call.shared_bytes = storage.shared_bytes;
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

/// Runs the block kernel `Kernel` for every block of `blocks` on `stream` of `dev`, asynchronously.
/// Requires: shared_bytes <= dev.info().shared_memory; a device_error naming the kernel otherwise.
/// `Kernel::block` is its number of threads; `Kernel::min_blocks`, when given, is how many blocks shall fit a
/// processor of the GPU: the compiler limits the registers to that.
template <class Kernel, class... Args>
void launch_blocks(device& dev, stream_handle stream, extent blocks, std::size_t shared_bytes,
                   const char* name, Args... args) {
  if (blocks.x <= 0 || blocks.y <= 0) return;
  detail::block_arguments<detail::pack<Args...>> storage{shared_bytes, detail::make_pack(args...)};
  dev.launch(stream, make_block_call<Kernel>(name, blocks, storage));
}

}  // namespace YOKE_LAUNCHERS

/// Runs `Kernel` for items [first, last) of row y on the calling host thread, as a CPU CU does.
template <class Kernel, class... Args>
void run_on_host(std::int64_t y, std::int64_t first, std::int64_t last, Args... args) {
  const auto storage = detail::make_pack(args...);
  detail::run_on_host<Kernel, detail::pack<Args...>>(
      &storage, {.first_x = first, .last_x = last, .first_y = y, .last_y = y + 1});
}

}  // namespace yoke
