// Our reading of OMP_PLACES beside libomp's own, on random texts. How many is the program's argument.
#include "probing.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <yoke/places_text.hpp>

using namespace probing;  // NOLINT(google-build-using-namespace)
using yoke::places_meaning;

namespace {

int texts_to_try() {
  const char* given = std::getenv("TEST_TEXTS");
  return given == nullptr ? 400 : std::atoi(given);
}

std::string pick(std::mt19937& random, std::initializer_list<const char*> from) {
  return from.begin()[random() % from.size()];
}

/// A number that may be a CPU here; now and then none.
std::string cpu(std::mt19937& random) {
  const auto& all = cpus();
  return std::to_string(random() % 4 == 0 ? static_cast<int>(random() % 9) : all[random() % all.size()]);
}

std::string counts(std::mt19937& random) {
  if (random() % 2 == 0) return "";
  std::string text = ":" + std::to_string(random() % 4);
  if (random() % 2 == 0)
    text += ":" + pick(random, {"", "-", "+", "- ", "-+-"}) + std::to_string(random() % 3);
  return text;
}

std::string random_place(std::mt19937& random) {
  std::string text = random() % 25 == 0 ? "!" : "";
  if (random() % 5 == 0) return text + cpu(random);
  text += "{" + cpu(random) + counts(random);
  while (random() % 3 == 0) text += pick(random, {",", " , "}) + cpu(random) + counts(random);
  return text + "}";
}

std::string random_list(std::mt19937& random) {
  std::string text = random_place(random) + counts(random);
  while (random() % 2 == 0) text += "," + random_place(random) + counts(random);
  return text;
}

std::string random_name(std::mt19937& random) {
  return pick(random, {"threads", "cores", "sockets", "Threads", "core", "threadsx"}) +
         pick(random, {"", "(1)", "(2)", " ( 2 ) ", "(0)", "()", "(1", "(1)x", "(7)"});
}

/// A good text, or one with a character more, fewer or other than that.
std::string random_omp_places(std::mt19937& random) {
  std::string text = random() % 12 == 0 ? random_name(random) : random_list(random);
  if (random() % 5 != 0 || text.empty()) return text;
  const std::size_t at = random() % text.size();
  if (random() % 2 == 0) return text.erase(at, 1);
  return text.insert(at, pick(random, {"{", "}", ",", ":", "-", " ", "\t", "x", "(", "1"}));
}

std::string ours(const std::string& text) {
  const yoke::places_reading read =
      yoke::read_places({text, "OMP_PLACES"}, yoke::topology::of_this_machine());
  return read.meaning == places_meaning::fatal ? "died" : "places " + yoke::places_text(read.places);
}

/// What libomp says of each: "places {0},{1}", "died of signal 6".
std::vector<std::string> libomps_of(const strings& texts) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("yoke_places_{}", ::getpid());
  {
    std::ofstream out{file};
    for (const std::string& text : texts) out << text << "\n";
  }
  // From the system: on virtual machines what a CPU says of itself may change while a process runs.
  const process_result result = support::run_process(
      {"sh", "-c",
       fmt::format("KMP_TOPOLOGY_METHOD=cpuinfo {} < {} 2>&-", YOKE_CU_PLACES_PROBE, file.string())});
  std::filesystem::remove(file);
  std::vector<std::string> all;
  std::istringstream lines{result.output};
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  REQUIRE(all.size() == texts.size());
  return all;
}

}  // namespace

TEST_CASE("libomp reads OMP_PLACES as Yoke does", "[process]") {
  const auto seed = static_cast<unsigned>(Catch::rngSeed());
  INFO("--rng-seed " << seed);
  std::mt19937 random{seed};
  strings texts;
  for (int i = texts_to_try(); i > 0; --i) texts.push_back(random_omp_places(random));
  std::vector<std::string> answers = libomps_of(texts);
  int exact = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& text = texts[i];
    std::string& libomps = answers[i];
    // A system that is short of something may end a process at its start: libomp is asked a second time.
    if (libomps.starts_with("died") && ours(text) != "died") libomps = libomps_of({text}).front();
    INFO(text << ": " << libomps);
    if (libomps.starts_with("died")) libomps = "died";
    // The complement of a place is read from memory that libomp has not set: mostly it aborts, not always.
    const bool is_chance = ours(text) == "died" && text.find('!') != std::string::npos;
    if (!is_chance) CHECK(ours(text) == libomps);
    exact += ours(text) == libomps && libomps != "died" ? 1 : 0;
  }
  CHECK(exact > std::ssize(texts) / 2);
}
