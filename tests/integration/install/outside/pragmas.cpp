// The pragmas of a program that uses Yoke count, without a word about OpenMP in how it is built.
#include <cstdio>

#include <yoke/yoke.hpp>

int threads_of_a_team() {  // not in main, where the construct would start OpenMP before the runtime is made
  int threads = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    ++threads;
  }
  return threads;
}

int main() {
  yoke::runtime rt("1x1");
  std::printf("%d threads\n", threads_of_a_team());
}
