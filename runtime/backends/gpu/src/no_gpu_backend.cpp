// Takes the place of gpu_backend.cpp where YOKE_GPU=none.
#include "not_built.hpp"

namespace yoke {

backend cuda_backend() { return gpu::backend_not_built<backend_kind::cuda>(); }
backend hip_backend() { return gpu::backend_not_built<backend_kind::hip>(); }

}  // namespace yoke
