// A library of g++'s that is linked with libgomp.
#include <omp.h>

/// The nesting level of a region of its own, times a hundred, and how many threads it had.
extern "C" int level_and_threads() {
  int level = 0, threads = 0;
#pragma omp parallel reduction(max : level) reduction(+ : threads)
  {
    level = omp_get_level();
    threads = 1;
  }
  return 100 * level + threads;
}
