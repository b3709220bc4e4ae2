#pragma once
/// What the compiler of this file can do, and for whom it compiles at the moment.

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
