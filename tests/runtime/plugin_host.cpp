// Loads, runs and closes a plug-in that holds Yoke, again and again.
//   runtime_plugin_host PLUGIN ROUNDS CUS…   (one configuration after the other, from the first again)
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

bool run_once(const char* path, const char* cus) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  const auto run = reinterpret_cast<int (*)(const char*)>(dlsym(plugin, "run_plugin"));
  const bool right = run != nullptr && run(cus) > 0;
  dlclose(plugin);
  return right;
}

void (*fault_handler())(int) {
  struct sigaction present{};
  sigaction(SIGSEGV, nullptr, &present);
  return present.sa_handler;
}

/// What the plug-in has registered may not be called once it is gone.
bool can_fork() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int rounds = std::atoi(argv[2]);
  const auto handler = fault_handler();
  int right = 0;
  for (int round = 0; round < rounds; ++round) {
    right += run_once(argv[1], argv[3 + round % (argc - 3)]) ? 1 : 0;
    if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != nullptr) std::printf("the plug-in has not gone\n");
    if (fault_handler() != handler) std::printf("its handler is still there\n");
    if (!can_fork()) std::printf("a child has died\n");
  }
  std::printf("%d of %d rounds right\n", right, rounds);
}
