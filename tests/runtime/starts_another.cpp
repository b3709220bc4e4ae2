// A program that starts another one with Yoke while it has a runtime: that has its own configuration, places
// and CPUs, whatever OMP_PLACES it inherits.
//   starts_another CUS OF_CHILD    or, of the child, starts_another CUS
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <yoke/affinity.hpp>
#include <yoke/yoke.hpp>

namespace {

/// Threads of compute units that are elsewhere.
int elsewhere(yoke::runtime& rt) {
  std::atomic<int> count{0};
  rt.each_unit([&](yoke::unit_id) {
    const yoke::place& cpus = rt.units().calling().cpus;
#pragma omp parallel
    count += yoke::is_bound_to(cpus) ? 0 : 1;
  });
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  yoke::runtime rt{argv[1]};
  const int wrong = elsewhere(rt);
  std::printf("%s: OMP_PLACES %s, %d threads elsewhere\n", argv[1], std::getenv("OMP_PLACES"), wrong);
  std::fflush(stdout);
  const std::string child = std::string{argv[0]} + " ";
  return wrong == 0 && (argc < 3 || std::system((child + argv[2]).c_str()) == 0) ? 0 : 1;
}
