// Says which places libomp has for each line of the input, as its OMP_PLACES: libomp reads it once, so each
// line is a child of its own.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <omp.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

std::string places_in_force() {
  std::string text;
  for (int i = 0; i < omp_get_num_places(); ++i) {
    std::vector<int> cpus(static_cast<std::size_t>(omp_get_place_num_procs(i)));
    omp_get_place_proc_ids(i, cpus.data());
    text += i == 0 ? "{" : ",{";
    for (std::size_t at = 0; at < cpus.size(); ++at) text += (at == 0 ? "" : ",") + std::to_string(cpus[at]);
    text += "}";
  }
  return text;
}

/// libomp's file of a process, which neither _exit nor a signal takes away, and another one of its number
/// reads.
void remove_registration(pid_t of) {
  unlink(("/dev/shm/__KMP_REGISTERED_LIB_" + std::to_string(of) + "_" + std::to_string(getuid())).c_str());
}

}  // namespace

int main() {
  setenv("KMP_WARNINGS", "0", 1);
  for (std::string text; std::getline(std::cin, text);) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      remove_registration(getpid());
      setenv("OMP_PLACES", text.c_str(), 1);
      std::printf("places %s\n", places_in_force().c_str());
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("died of signal %d\n", WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) std::printf("died with %d\n", WEXITSTATUS(status));
    remove_registration(child);
  }
}
