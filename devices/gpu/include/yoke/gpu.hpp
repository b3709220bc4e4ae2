// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The vendor's runtime under one set of names, for kernels and calls of a user's own. The only header that
/// includes a vendor header. Where kernels are compiled differently for the two, <yoke/vendors.hpp> says so.
///
///   auto stream = yoke::gpu::native(yoke::cu::stream());
///   my_kernel<<<blocks, threads, 0, stream>>>(…);
///   yoke::gpu::check(yoke::gpu::get_last_error(), "launching my_kernel");
///
/// The vendor is that of nvcc or hipcc, or the one that Yoke was built for (YOKE_GPU_CUDA, YOKE_GPU_HIP,
/// which come with the target yoke::gpu). Without one there is nothing in here but YOKE_HAS_GPU, which is 0
/// then.

#include <yoke/cpp20.hpp>

#if defined(__HIPCC__) || defined(YOKE_GPU_HIP)
#define YOKE_HAS_GPU 1
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1  // NOLINT: HIP's name
#endif
#include <hip/hip_runtime_api.h>
#define YOKE_GPU_NAME(name) hip##name
#elif defined(__CUDACC__) || defined(YOKE_GPU_CUDA)
#define YOKE_HAS_GPU 1
#include <cuda_runtime_api.h>
#define YOKE_GPU_NAME(name) cuda##name
#else
#define YOKE_HAS_GPU 0
#endif

#if YOKE_HAS_GPU

#include <cstdint>
#include <string>
#include <string_view>

#include <yoke/device.hpp>
#include <yoke/error.hpp>

// Wrapped, not referenced: under nvcc some of the vendor's functions are overload sets.
#define YOKE_GPU_FUNCTION(alias, name)             \
  template <class... Args>                         \
  [[nodiscard]] inline error alias(Args... args) { \
    return YOKE_GPU_NAME(name)(args...);           \
  }

namespace yoke::gpu {

/// The vendor's types: what a library of the vendor takes.
using stream = YOKE_GPU_NAME(Stream_t);
using event = YOKE_GPU_NAME(Event_t);
using graph = YOKE_GPU_NAME(Graph_t);
using graph_exec = YOKE_GPU_NAME(GraphExec_t);
using error = YOKE_GPU_NAME(Error_t);
using memcpy_3d_parameters = YOKE_GPU_NAME(Memcpy3DParms);
using pitched_pointer = YOKE_GPU_NAME(PitchedPtr);

/// Codes that calls give back; text() says them in words, meaning_of() what they are for who wants to go on.
inline constexpr error success = YOKE_GPU_NAME(Success);
inline constexpr error not_ready = YOKE_GPU_NAME(ErrorNotReady);
inline constexpr error no_device = YOKE_GPU_NAME(ErrorNoDevice);
inline constexpr error insufficient_driver = YOKE_GPU_NAME(ErrorInsufficientDriver);
inline constexpr error peer_access_already_enabled = YOKE_GPU_NAME(ErrorPeerAccessAlreadyEnabled);

inline constexpr error invalid_value = YOKE_GPU_NAME(ErrorInvalidValue);
inline constexpr error invalid_device = YOKE_GPU_NAME(ErrorInvalidDevice);

/// Directions of copies, and flags of streams, events and host memory.
inline constexpr auto copy_to_device = YOKE_GPU_NAME(MemcpyHostToDevice);
inline constexpr auto copy_to_host = YOKE_GPU_NAME(MemcpyDeviceToHost);
inline constexpr auto copy_anywhere = YOKE_GPU_NAME(MemcpyDefault);
inline constexpr unsigned non_blocking_stream = YOKE_GPU_NAME(StreamNonBlocking);
inline constexpr unsigned event_without_timing = YOKE_GPU_NAME(EventDisableTiming);
inline constexpr unsigned event_with_timing = YOKE_GPU_NAME(EventDefault);
inline constexpr unsigned registered_for_all_devices = YOKE_GPU_NAME(HostRegisterPortable);
/// Of two devices: a link of the vendor's own does atomics between them, PCIe does not.
inline constexpr auto native_atomics = YOKE_GPU_NAME(DevP2PAttrNativeAtomicSupported);
inline constexpr auto capture_relaxed = YOKE_GPU_NAME(StreamCaptureModeRelaxed);

#if defined(__HIPCC__) || defined(YOKE_GPU_HIP)
inline constexpr bool is_hip = true;
inline constexpr error out_of_memory = hipErrorOutOfMemory;
inline constexpr error no_code_for_device = hipErrorNoBinaryForGpu;
/// After these nothing works on the device any more: a kernel or the hardware has failed.
inline constexpr error losses[] = {hipErrorIllegalAddress, hipErrorLaunchTimeOut, hipErrorAssert,
                                   hipErrorLaunchFailure, hipErrorECCNotCorrectable};
inline constexpr unsigned pinned_for_all_devices = hipHostMallocPortable;
/// The CMake variable that says for which GPUs there is code.
inline constexpr const char* architectures = "CMAKE_HIP_ARCHITECTURES";
/// Of a launch, in all its blocks.
inline constexpr std::int64_t most_threads_along_x = (std::int64_t{1} << 32) - 1;
using device_properties = hipDeviceProp_t;
inline constexpr auto most_shared_memory = hipFuncAttributeMaxDynamicSharedMemorySize;
/// As `architectures` takes it: "gfx90a".
inline std::string architecture_of(const device_properties& of) {
  const std::string_view name = of.gcnArchName;
  return std::string{name.substr(0, name.find(':'))};
}
inline std::size_t shared_memory_of_block(const device_properties& of) { return of.sharedMemPerBlock; }
inline std::size_t shared_memory_of_processor(const device_properties& of) {
  return of.maxSharedMemoryPerMultiProcessor;
}
YOKE_GPU_FUNCTION(host_malloc, HostMalloc)
YOKE_GPU_FUNCTION(host_free, HostFree)
#else
inline constexpr bool is_hip = false;
inline constexpr error out_of_memory = cudaErrorMemoryAllocation;
inline constexpr error no_code_for_device = cudaErrorNoKernelImageForDevice;
inline constexpr error losses[] = {
    cudaErrorIllegalAddress,     cudaErrorLaunchTimeout,      cudaErrorAssert,
    cudaErrorLaunchFailure,      cudaErrorECCUncorrectable,   cudaErrorHardwareStackError,
    cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,  cudaErrorInvalidAddressSpace,
    cudaErrorInvalidPc,          cudaErrorContextIsDestroyed, cudaErrorNvlinkUncorrectable};
inline constexpr unsigned pinned_for_all_devices = cudaHostAllocPortable;
inline constexpr const char* architectures = "CMAKE_CUDA_ARCHITECTURES";
inline constexpr std::int64_t most_threads_along_x = ((std::int64_t{1} << 31) - 1) * 1024;
using device_properties = cudaDeviceProp;
inline constexpr auto most_shared_memory = cudaFuncAttributeMaxDynamicSharedMemorySize;
/// As `architectures` takes it: "90".
inline std::string architecture_of(const device_properties& of) {
  return std::to_string(10 * of.major + of.minor);
}
/// What a kernel may have that asks for it, as launches of block kernels do.
inline std::size_t shared_memory_of_block(const device_properties& of) { return of.sharedMemPerBlockOptin; }
inline std::size_t shared_memory_of_processor(const device_properties& of) {
  return of.sharedMemPerMultiprocessor;
}
YOKE_GPU_FUNCTION(host_malloc, HostAlloc)
YOKE_GPU_FUNCTION(host_free, FreeHost)
#endif

// The vendor's functions, with its arguments and results: get_device_count(&n) is cudaGetDeviceCount(&n) or
// hipGetDeviceCount(&n). None throws; check() does. A result that is looked at nowhere is an error lost.

/// Devices: their number, properties and links. set_device holds for the calling thread.
YOKE_GPU_FUNCTION(get_device_count, GetDeviceCount)
YOKE_GPU_FUNCTION(get_device_properties, GetDeviceProperties)
YOKE_GPU_FUNCTION(get_device, GetDevice)
YOKE_GPU_FUNCTION(set_device, SetDevice)
YOKE_GPU_FUNCTION(device_synchronize, DeviceSynchronize)
YOKE_GPU_FUNCTION(device_can_access_peer, DeviceCanAccessPeer)
YOKE_GPU_FUNCTION(device_enable_peer_access, DeviceEnablePeerAccess)
YOKE_GPU_FUNCTION(device_get_p2p_attribute, DeviceGetP2PAttribute)
YOKE_GPU_FUNCTION(get_last_error, GetLastError)
/// Memory of the current device, and host memory that its copies reach.
YOKE_GPU_FUNCTION(malloc, Malloc)
YOKE_GPU_FUNCTION(free, Free)
YOKE_GPU_FUNCTION(mem_get_info, MemGetInfo)
YOKE_GPU_FUNCTION(host_register, HostRegister)
YOKE_GPU_FUNCTION(host_unregister, HostUnregister)
/// Work for a stream: asynchronous.
YOKE_GPU_FUNCTION(memcpy_async, MemcpyAsync)
YOKE_GPU_FUNCTION(memcpy_2d_async, Memcpy2DAsync)
YOKE_GPU_FUNCTION(memcpy_3d_async, Memcpy3DAsync)
YOKE_GPU_FUNCTION(func_set_attribute, FuncSetAttribute)
YOKE_GPU_FUNCTION(launch_kernel, LaunchKernel)
/// Streams, and what is recorded from them.
YOKE_GPU_FUNCTION(stream_create_with_flags, StreamCreateWithFlags)
YOKE_GPU_FUNCTION(stream_create_with_priority, StreamCreateWithPriority)
YOKE_GPU_FUNCTION(device_get_stream_priority_range, DeviceGetStreamPriorityRange)
YOKE_GPU_FUNCTION(stream_destroy, StreamDestroy)
YOKE_GPU_FUNCTION(stream_synchronize, StreamSynchronize)
YOKE_GPU_FUNCTION(stream_wait_event, StreamWaitEvent)
YOKE_GPU_FUNCTION(stream_begin_capture, StreamBeginCapture)
YOKE_GPU_FUNCTION(stream_end_capture, StreamEndCapture)
/// Events: points in streams, with their times.
YOKE_GPU_FUNCTION(event_create_with_flags, EventCreateWithFlags)
YOKE_GPU_FUNCTION(event_destroy, EventDestroy)
YOKE_GPU_FUNCTION(event_record, EventRecord)
YOKE_GPU_FUNCTION(event_query, EventQuery)
YOKE_GPU_FUNCTION(event_elapsed_time, EventElapsedTime)
YOKE_GPU_FUNCTION(event_synchronize, EventSynchronize)
/// Graphs: recorded, made ready, launched again and again.
YOKE_GPU_FUNCTION(graph_instantiate, GraphInstantiateWithFlags)
YOKE_GPU_FUNCTION(graph_launch, GraphLaunch)
YOKE_GPU_FUNCTION(graph_destroy, GraphDestroy)
YOKE_GPU_FUNCTION(graph_exec_destroy, GraphExecDestroy)

/// As YOKE_DEVICES names it.
inline constexpr std::string_view backend_name = is_hip ? "hip" : "cuda";
/// Between two devices that have a link of the vendor's own.
inline constexpr link_kind direct_link = is_hip ? link_kind::infinity_fabric : link_kind::nvlink;

/// Yoke's handles as the vendor's: native(yoke::cu::stream()) is the stream of the calling GPU CU.
inline stream native(void* handle) { return static_cast<stream>(handle); }
inline stream native(stream_handle handle) { return native(handle.native); }
inline event native(event_handle handle) { return static_cast<event>(handle.native); }
inline graph_exec native(graph_handle handle) { return static_cast<graph_exec>(handle.native); }

/// "cudaErrorMemoryAllocation (out of memory)".
inline std::string text(error code) {
  return std::string{YOKE_GPU_NAME(GetErrorName)(code)} + " (" + YOKE_GPU_NAME(GetErrorString)(code) + ")";
}

/// What a code means to who wants to go on.
constexpr device_failure meaning_of(error code) {
  for (const error loss : losses)
    if (code == loss) return device_failure::lost;
  if (code == out_of_memory) return device_failure::out_of_memory;
  if (code == not_ready) return device_failure::retryable;
  const bool refused = code == invalid_value || code == invalid_device || code == no_code_for_device;
  return refused ? device_failure::refused : device_failure::other;
}

/// Throws device_error "cudaErrorMemoryAllocation (out of memory) while copying zone 3 …" unless `code` is
/// success. `intent` is a string, or a function that makes one and is called on failure only. The error is
/// then reported: get_last_error does not show it once more (an error that lost the device stays).
template <class Intent>
void check(error code, const Intent& intent) {
  if (code == success) [[likely]]
    return;
  (void)get_last_error();
  std::string message = text(code) + " while ";
  if constexpr (requires { intent(); }) {
    message += intent();
  } else {
    message += intent;
  }
  throw device_error{message, meaning_of(code)};
}

/// For calls that give something back: nobody can do anything about their errors, and nobody shall find them.
inline void forget(error code) {
  if (code != success) (void)get_last_error();
}

}  // namespace yoke::gpu

#undef YOKE_GPU_FUNCTION
#undef YOKE_GPU_NAME

#endif  // YOKE_HAS_GPU
