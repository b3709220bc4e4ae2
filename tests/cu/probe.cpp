// Prints what the compute units of a configuration are, for process_test.cpp. Its main has no OpenMP
// construct, so that a configuration may be given late.
//   cu_probe [--emulated] [--narrow] [--untouched] [--cus NxM+G]…   (one session after the other; none: as
//   YOKE_CUS says)
#include "probe_report.hpp"

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>

namespace {

void run(const std::string& cus, bool emulated) {
  const probe::session units{cus, emulated};
  units.print_places();
  units.print_units();
  std::thread{[] {
    yoke::unbind_this_thread();
    std::printf("unbound on=%s\n", probe::joined(yoke::affinity_of_this_thread()).c_str());
  }}.join();
}

void run_all(int argc, char** argv) {
  bool emulated = false;
  bool ran = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--emulated") emulated = true;
    // As libgomp in a library does to the first thread where OMP_PLACES is set.
    if (word == "--narrow") yoke::bind_this_thread(std::vector{yoke::allowed_cpus_at_start().front()});
    if (word == "--untouched") return probe::print_untouched();
    if (word != "--cus") continue;
    run(argv[++i], emulated);
    ran = true;
  }
  if (!ran) run("", emulated);
}

}  // namespace

int main(int argc, char** argv) try { run_all(argc, argv); } catch (const yoke::config_error& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 2;
}
