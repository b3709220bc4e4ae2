#include "vendor.hpp"

namespace yoke::detail {

backend cuda_backend() {
  return gpu::missing(gpu::cuda_record(), "this build has no CUDA: configure with -DYOKE_GPU=cuda");
}

}  // namespace yoke::detail
