// As an OpenMP BLAS does: asks libomp when it is loaded, before any constructor of the program.
#include <omp.h>

namespace {
[[gnu::constructor]] void look_at_the_machine() { static_cast<void>(omp_get_max_threads()); }
}  // namespace

int threads_of_library() {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  return threads;
}
