// An OpenMP program that knows nothing of Yoke: says on which CPUs the threads of two levels may run.
#include <cstdio>
#include <omp.h>
#include <sched.h>
#include <string>

namespace {

std::string allowed() {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  std::string text;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) text += (text.empty() ? "" : ",") + std::to_string(cpu);
  }
  return text;
}

void say(int outer) {
#pragma omp critical
  std::printf("thread %d.%d may use %s\n", outer, omp_get_thread_num(), allowed().c_str());
}

}  // namespace

int main() {
#pragma omp parallel
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel
    say(outer);
  }
}
