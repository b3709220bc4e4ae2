// Runs the cases of a program in random order, unless --order is given, and says by which seed: a case that
// needs another one before it is a defect. --order rand --rng-seed N repeats a run.
#define CATCH_CONFIG_RUNNER
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <support/catch.hpp>

namespace {

/// TEST_SEED, which scripts/test.sh gives to all programs of a run, or a new one.
unsigned seed_of_this_run() {
  if (const char* given = std::getenv("TEST_SEED")) return static_cast<unsigned>(std::stoul(given));
  return std::random_device{}() % 1'000'000 + 1;
}

#if __has_include(<catch2/catch_all.hpp>)
constexpr auto random_order = Catch::TestRunOrder::Randomized;
#else
constexpr auto random_order = Catch::RunTests::InRandomOrder;
#endif

}  // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  if (const int failed = session.applyCommandLine(argc, argv); failed != 0) return failed;
  bool order_given = false;
  for (int i = 1; i < argc; ++i) order_given = order_given || std::string{argv[i]}.starts_with("--order");
  auto& config = session.configData();
  if (config.rngSeed == 0) config.rngSeed = seed_of_this_run();
  if (!order_given) config.runOrder = random_order;
  std::printf("%s --rng-seed %u\n", order_given ? "" : "--order rand", static_cast<unsigned>(config.rngSeed));
  std::fflush(stdout);
  return session.run();
}
