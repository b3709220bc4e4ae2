// A main with an OpenMP construct of its own: libomp reads its environment at the top of main, before the
// first statement. YOKE_CUS must work all the same; a configuration given in main comes too late.
#include "probe_report.hpp"

#include <cstdio>
#include <string>

#include <yoke/error.hpp>

int main(int argc, char** argv) try {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  std::printf("threads %d\n", threads);
  const std::string word = argc > 1 ? argv[1] : "";
  const bool emulated = word == "--emulated";
  const probe::session units{emulated ? "" : word, emulated};
  units.print_places();
  units.print_units();
} catch (const yoke::config_error& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 2;
}
