// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the compiler of this file can do, and for whom it compiles at the moment.

#include <type_traits>

#include <yoke/cpp20.hpp>

/// Before functions that run on the host and on a GPU.
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

/// Code for NVIDIA's GPUs alone: instructions that others do not have.
#if defined(__CUDA_ARCH__)
#define YOKE_CUDA_PASS 1
#else
#define YOKE_CUDA_PASS 0
#endif

/// Whether the compiler of this file makes code for AMD's GPUs.
#if defined(__HIPCC__)
#define YOKE_FOR_AMD 1
#else
#define YOKE_FOR_AMD 0
#endif

/// Whether nvcc compiles this file, which knows the lambdas that it makes code of for host and GPU.
#if defined(__CUDACC__) && defined(__CUDACC_EXTENDED_LAMBDA__)
#define YOKE_BY_NVCC 1
#define YOKE_IS_NVCC_LAMBDA(type) __nv_is_extended_host_device_lambda_closure_type(type)
#else
#define YOKE_BY_NVCC 0
#define YOKE_IS_NVCC_LAMBDA(type) false
#endif

/// Before a loop of a kernel: so many of its turns become one on a GPU. `turns` may be a constant expression.
#define YOKE_PRAGMA(text) _Pragma(#text)
#if YOKE_DEVICE_PASS
#define YOKE_UNROLL(turns) YOKE_PRAGMA(unroll turns)
#else
#define YOKE_UNROLL(turns)
#endif

/// Before a template for host and GPU that calls what may be there for the host alone, and is called there
/// alone then.
#if defined(__CUDACC__)
#define YOKE_CALLS_HOST_CODE YOKE_PRAGMA(nv_exec_check_disable)
#else
#define YOKE_CALLS_HOST_CODE
#endif

/// Before functions of the host whose calls are compiled into them.
#if YOKE_DEVICE_PASS
#define YOKE_FLAT
#else
#define YOKE_FLAT [[gnu::flatten]]
#endif

/// What the compiler may take for true from here on; nothing is computed for it.
#if defined(__clang__)
#define YOKE_ASSUME(what) __builtin_assume(what)
#else
#define YOKE_ASSUME(what) ((what) ? void() : __builtin_unreachable())
#endif

/// Before functions whose calls are compiled into whatever calls them, on the host and on a GPU.
#define YOKE_INLINE [[gnu::always_inline]] inline

namespace yoke::detail {

/// For `if constexpr`: what is discarded may be the host's alone, and leaves nothing in the code of a GPU.
inline constexpr bool is_host_pass = YOKE_DEVICE_PASS == 0;

/// The address itself; a GPU's compiler learns that it is in device memory. Else one that came from a table
/// may be in the shared memory of the block: accesses take a slower path, and do not pass those to shared
/// memory.
template <class T>
YOKE_HD T* in_device_memory(T* address) {
#if YOKE_CUDA_PASS
  __builtin_assume(__isGlobal(const_cast<const void*>(static_cast<const volatile void*>(address))));
#elif defined(__HIP_DEVICE_COMPILE__)
  // The compiler would take two casts that cancel out away; the asm, which is empty, stands between them.
  using in_global_memory = __attribute__((address_space(1))) T;
  auto* known = (in_global_memory*)address;
  asm("" : "+v"(known));
  address = (T*)known;
#endif
  return address;
}

/// Whether a GPU has an instruction for elements of this type that no one writes while the kernel runs.
template <class T>
inline constexpr bool has_unchanged_load =
#if YOKE_CUDA_PASS
    std::is_const_v<T> && requires(T* address) { __ldg(address); };
#else
    false;
#endif
/// By that instruction: the compiler may put it before any write, and of several with one address it keeps
/// one.
template <class T>
YOKE_HD T load_unchanged(const T* address) {
#if YOKE_CUDA_PASS
  return __ldg(address);
#else
  return *address;
#endif
}

}  // namespace yoke::detail
