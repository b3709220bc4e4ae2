#pragma once
/// HIP's names over CUDA, as far as Yoke uses them: with it nvcc compiles the HIP build of backend and
/// kernels
/// (-DYOKE_GPU=hip -DYOKE_HIP_OVER_CUDA=ON), so that it can be run where no AMD GPU is. Where the two differ,
/// this does what HIP does on an MI50: a block has at most 64 KiB of shared memory, without asking for it.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cuda_runtime_api.h>

// Names, because the alias header pastes them together and takes what they stand for.
#define hipStream_t cudaStream_t
#define hipEvent_t cudaEvent_t
#define hipGraph_t cudaGraph_t
#define hipGraphExec_t cudaGraphExec_t
#define hipError_t cudaError_t

#define hipSuccess cudaSuccess
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorInsufficientDriver cudaErrorInsufficientDriver
#define hipErrorPeerAccessAlreadyEnabled cudaErrorPeerAccessAlreadyEnabled
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorIllegalAddress cudaErrorIllegalAddress
#define hipErrorLaunchTimeOut cudaErrorLaunchTimeout
#define hipErrorAssert cudaErrorAssert
#define hipErrorLaunchFailure cudaErrorLaunchFailure
#define hipErrorECCNotCorrectable cudaErrorECCUncorrectable
#define hipErrorNoBinaryForGpu cudaErrorNoKernelImageForDevice

#define hipMemcpy3DParms cudaMemcpy3DParms
#define hipPitchedPtr cudaPitchedPtr

#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDefault cudaMemcpyDefault
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamCaptureModeRelaxed cudaStreamCaptureModeRelaxed
#define hipEventDefault cudaEventDefault
#define hipEventDisableTiming cudaEventDisableTiming
#define hipHostRegisterPortable cudaHostRegisterPortable
#define hipHostMallocPortable cudaHostAllocPortable
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize

#define hipGetErrorName cudaGetErrorName
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDevice cudaGetDevice
#define hipSetDevice cudaSetDevice
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipDeviceCanAccessPeer cudaDeviceCanAccessPeer
#define hipDeviceEnablePeerAccess cudaDeviceEnablePeerAccess
#define hipDeviceGetP2PAttribute cudaDeviceGetP2PAttribute
#define hipDevP2PAttrNativeAtomicSupported cudaDevP2PAttrNativeAtomicSupported
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipHostMalloc cudaHostAlloc
#define hipHostFree cudaFreeHost
#define hipHostRegister cudaHostRegister
#define hipHostUnregister cudaHostUnregister
#define hipMemGetInfo cudaMemGetInfo
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpy2DAsync cudaMemcpy2DAsync
#define hipMemcpy3DAsync cudaMemcpy3DAsync
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipLaunchKernel cudaLaunchKernel
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamCreateWithPriority cudaStreamCreateWithPriority
#define hipDeviceGetStreamPriorityRange cudaDeviceGetStreamPriorityRange
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamWaitEvent cudaStreamWaitEvent
#define hipStreamBeginCapture cudaStreamBeginCapture
#define hipStreamEndCapture cudaStreamEndCapture
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventQuery cudaEventQuery
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime
#define hipGraphInstantiateWithFlags cudaGraphInstantiateWithFlags
#define hipGraphLaunch cudaGraphLaunch
#define hipGraphDestroy cudaGraphDestroy
#define hipGraphExecDestroy cudaGraphExecDestroy

struct hipDeviceProp_t : cudaDeviceProp {
  std::size_t maxSharedMemoryPerMultiProcessor;
  char gcnArchName[16];
};

inline cudaError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  constexpr std::size_t of_mi50 = std::size_t{64} << 10;
  const cudaError_t code = cudaGetDeviceProperties(properties, device);
  std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%d%d", properties->major,
                properties->minor);
  properties->sharedMemPerBlock = std::min(properties->sharedMemPerBlockOptin, of_mi50);
  properties->maxSharedMemoryPerMultiProcessor = std::min(properties->sharedMemPerMultiprocessor, of_mi50);
  return code;
}
