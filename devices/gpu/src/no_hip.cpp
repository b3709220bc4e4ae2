#include "vendor.hpp"

namespace yoke::detail {

backend hip_backend() {
  return gpu::missing(gpu::hip_record(), "this build has no HIP: configure with -DYOKE_GPU=hip");
}

}  // namespace yoke::detail
