#pragma once
/// The entries of the vendors' GPUs in the list of backends. At most one of them is built (YOKE_GPU); the
/// other is a stub that says so.

#include <yoke/backends.hpp>

namespace yoke {

backend cuda_backend();
backend hip_backend();

}  // namespace yoke
