#include "shared_kernel.hpp"

namespace gpu_tests {

const void* gpu_entry_in_kernel_file() {
  auto arguments = yoke::detail::make_pack(nowhere());
  return yoke::make_kernel_call<shared_kernel>("shared", {.x = 1}, arguments).gpu_entry;
}

int threads_in_kernel_file() {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  ++threads;
  return threads;
}

}  // namespace gpu_tests
