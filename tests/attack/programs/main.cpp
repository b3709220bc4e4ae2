/// Random programs, from a seed that is printed first: `--seed S` repeats a run, `--seed S --count 1` its
/// first program, `--steps N` that program's first steps. See ../README.md.
#include "program.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <support/crash.hpp>

namespace {

struct arguments {
  std::uint64_t seed = 0;
  long count = 100;
  int steps = 1'000'000;
  bool tells = false;
};

bool read(const char* text, auto& to) {
  const char* const end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, to);
  return error == std::errc{} && at == end && to >= 0;
}

std::uint64_t any_seed() {
  std::uint64_t given = 0;
  if (const char* const of_run = std::getenv("TEST_SEED"); of_run != nullptr && read(of_run, given))
    return given;
  return std::random_device{}() % 1'000'000 * 1000;
}

[[noreturn]] void refuse(const char* word) {
  std::fprintf(stderr, "attack_programs: '%s'; accepted: --seed S, --count N, --steps N, --tell\n", word);
  std::exit(2);
}

arguments read_all(int n, char** words) {
  arguments found{.seed = any_seed()};
  for (int i = 1; i < n; ++i) {
    const std::string word = words[i];
    if (word == "--tell") {
      found.tells = true;
      continue;
    }
    const char* const value = i + 1 < n ? words[++i] : "";
    const bool good = word == "--seed"    ? read(value, found.seed)
                      : word == "--count" ? read(value, found.count)
                      : word == "--steps" ? read(value, found.steps)
                                          : false;
    if (!good) refuse(words[i]);
  }
  return found;
}

void tell(std::uint64_t seed, const attack::outcome& of) {
  std::printf("\nattack_programs --seed %llu --count 1 --steps %d: %s\n",
              static_cast<unsigned long long>(seed), of.steps + 1, of.wrong.c_str());
  for (const std::string& line : of.story) std::printf("  %s\n", line.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int n, char** words) {
  const arguments with = read_all(n, words);
  std::printf("attack_programs --seed %llu --count %ld\n", static_cast<unsigned long long>(with.seed),
              with.count);
  std::fflush(stdout);
  support::tell_of_crashes();
  long wrong = 0, steps = 0, errors = 0;
  for (long i = 0; i < with.count && wrong < 5; ++i) {
    const std::uint64_t seed = with.seed + static_cast<std::uint64_t>(i);
    support::set_stage("attack_programs --seed " + std::to_string(seed) + " --count 1");
    const attack::outcome found = attack::run_program(seed, with.steps, with.tells);
    steps += found.steps;
    errors += found.errors;
    if (found.wrong.empty()) continue;
    ++wrong;
    tell(seed, found);
  }
  std::printf("%ld programs, %ld steps, %ld errors that are documented, %ld wrong\n", with.count, steps,
              errors, wrong);
  return wrong > 0 ? 1 : 0;
}
