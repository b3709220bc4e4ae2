// Only asks yoke::cu: the runtime comes from the environment, or from --cus.
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>

#include <yoke/yoke.hpp>

int main(int argc, char** argv) {
  try {
    std::optional<yoke::runtime> given;
    if (argc == 3 && std::strcmp(argv[1], "--cus") == 0) {
      given.emplace(yoke::runtime_options{.cus = yoke::sourced{argv[2], "--cus"}});
    }
    std::printf("units %d gpus %d\n", yoke::cu::n_cus(), yoke::cu::n_gpus());
  } catch (const std::exception& problem) {
    std::printf("error: %s\n", problem.what());
    return 2;
  }
}
