#pragma once
/// HIP's runtime as far as Yoke uses it, for programs that are linked with the fake of this folder: neither
/// HIP nor a GPU is needed. Values and signatures are those of <hip/hip_runtime_api.h>; the build with hipcc
/// compiles the fake against the real header to see that they are.

#include <cstddef>

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInsufficientDriver = 35,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNoBinaryForGpu = 209,
  hipErrorECCNotCorrectable = 214,
  hipErrorContextAlreadyInUse = 216,
  hipErrorNotReady = 600,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchTimeOut = 702,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorAssert = 710,
  hipErrorHostMemoryAlreadyRegistered = 712,
  hipErrorHostMemoryNotRegistered = 713,
  hipErrorLaunchFailure = 719,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureInvalidated = 901,
  hipErrorUnknown = 999,
};
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2, hipMemcpyDefault = 4 };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum hipStreamCaptureMode { hipStreamCaptureModeRelaxed = 2 };
enum hipDeviceP2PAttr { hipDevP2PAttrNativeAtomicSupported = 2 };
#define hipStreamNonBlocking 0x01
#define hipEventDefault 0x0
#define hipEventDisableTiming 0x2
#define hipHostMallocPortable 0x1
#define hipHostRegisterPortable 0x1

using hipStream_t = struct ihipStream_t*;
using hipEvent_t = struct ihipEvent_t*;
using hipGraph_t = struct ihipGraph*;
using hipGraphExec_t = struct hipGraphExec*;

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct hipPos {
  std::size_t x, y, z;
};
struct hipExtent {
  std::size_t width, height, depth;
};
struct hipPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
struct hipMemcpy3DParms {
  struct hipArray* srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  struct hipArray* dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  hipMemcpyKind kind;
};
struct hipDeviceProp_t {
  char name[256];
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  std::size_t maxSharedMemoryPerMultiProcessor;
  int multiProcessorCount;
  char gcnArchName[256];
};

extern "C" {
const char* hipGetErrorName(hipError_t code);
const char* hipGetErrorString(hipError_t code);
hipError_t hipGetLastError();

hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
hipError_t hipGetDevice(int* device);
hipError_t hipSetDevice(int device);
hipError_t hipDeviceSynchronize();
hipError_t hipDeviceCanAccessPeer(int* possible, int device, int peer);
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags);
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr which, int device, int peer);

hipError_t hipMalloc(void** address, std::size_t bytes);
hipError_t hipFree(void* address);
hipError_t hipHostMalloc(void** address, std::size_t bytes, unsigned flags);
hipError_t hipHostFree(void* address);
hipError_t hipHostRegister(void* first, std::size_t bytes, unsigned flags);
hipError_t hipHostUnregister(void* first);
hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total);
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream);
hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                            std::size_t bytes, std::size_t rows, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* parameters, hipStream_t stream);

hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute attribute, int value);
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           std::size_t shared_bytes, hipStream_t stream);

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority);
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags);
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph);

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop);

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* ready, hipGraph_t graph, unsigned long long flags);
hipError_t hipGraphLaunch(hipGraphExec_t ready, hipStream_t stream);
hipError_t hipGraphDestroy(hipGraph_t graph);
hipError_t hipGraphExecDestroy(hipGraphExec_t ready);
}
