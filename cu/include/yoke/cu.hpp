// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Queries about the compute units of the current runtime, for use in outer and inner parallel regions.
/// Source: González & Morancho, Table 2; stream is ours.

#include <yoke/compute_units.hpp>

namespace yoke::cu {

/// Number of CUs; of GPU CUs; of CPU CUs.
int n_cus();
int n_gpus();
int n_cpus();
/// CPUs of the calling thread's CU: the team size for inner regions; 0 on a GPU CU.
int n_inner_cpus();
bool is_gpu();
bool is_cpu();
/// The ordinal for cudaSetDevice / hipSetDevice in this process; -1 on a CPU CU.
int gpu_id();
/// The OpenMP thread number of the CU in the outer team (not a processor); -1 on a GPU CU.
int cpu_id();
/// 0 .. n_cus()-1.
unit_id cu_id();
/// Waits for the CU's stream and, on a whole device, for everything on the device. No effect on a CPU CU.
void synchronize();
/// The CU's native stream, for the user's own kernels (cast to cudaStream_t / hipStream_t); null on a CPU CU.
void* stream();

}  // namespace yoke::cu
