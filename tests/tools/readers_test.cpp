#include "calibration.hpp"
#include "machine.hpp"
#include "machine_file.hpp"
#include "task_file.hpp"

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <unistd.h>
#include <vector>

#include <yoke/error.hpp>

// Files and texts that people write: whatever is in them, they are read or refused.

namespace {

using tools::json;

/// A file that ends with the test.
class scratch_file {
 public:
  scratch_file()
      : path_{std::filesystem::temp_directory_path() /
              ("yoke-readers-" + std::to_string(getpid()) + ".json")} {}
  ~scratch_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string holding(const std::string& text) const { return tools::write_text(path_, text), path_; }

 private:
  std::string path_;
};

/// What stands where something else is wanted; the large ones are beyond every type of integers.
const std::vector<json> others{nullptr,
                               true,
                               -1,
                               0,
                               1,
                               3,
                               1e30,
                               1e-9,
                               "cpu",
                               "custom",
                               "",
                               {1, 2},
                               json::array(),
                               json::object(),
                               std::uint64_t{1} << 63};

/// Replaces, removes or adds something, somewhere.
void change(json& in, std::mt19937& random) {
  if (!in.is_structured() || in.empty() || random() % 4 == 0) {
    in = others[random() % others.size()];
    return;
  }
  auto at = in.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random() % in.size()));
  if (random() % 8 == 0)
    in.erase(at);
  else if (in.is_array() && random() % 8 == 0)
    in.push_back(json{*at});
  else
    change(*at, random);
}

struct outcome {
  int accepted = 0;
  int refused = 0;
};

/// Reads what a test wrote into a file, and counts; any other error than a refusal with the file's name is a
/// failure.
template <class Read>
class tried_reader {
 public:
  explicit tried_reader(const Read& read) : read_{read} {}

  void operator()(const json& text) {
    const std::string path = file_.holding(text.dump());
    INFO(text.dump());
    try {
      read_(path);
      ++seen_.accepted;
    } catch (const yoke::config_error& problem) {
      REQUIRE_THAT(problem.what(), Catch::Matchers::Contains(path));
      ++seen_.refused;
    }
  }
  const outcome& seen() const { return seen_; }

 private:
  const Read& read_;
  scratch_file file_;
  outcome seen_;
};

/// Reads `good`, files with one value of it replaced, and many that differ from it here and there.
template <class Read>
outcome read_changed(const json& good, const Read& read) {
  tried_reader tried{read};
  tried(good);
  REQUIRE(tried.seen().accepted == 1);
  const json values = good.flatten();
  for (const auto& [pointer, value] : values.items())
    for (const json& other : others) {
      json changed = good;
      changed[json::json_pointer{pointer}] = other;
      tried(changed);
    }
  const std::uint32_t seed = support::seed();
  INFO("--rng-seed " << seed);
  std::mt19937 random{seed};
  for (int round = 0; round < 1000; ++round) {
    json changed = good;
    for (auto left = 1 + random() % 3; left > 0; --left) change(changed, random);
    tried(changed);
  }
  return tried.seen();
}

const json machine = json::parse(R"({"schema": "yoke-machine/1", "name": "small", "source": "a test",
  "groups": [{"kind": "cpu", "count": 2, "per_weight": 1, "slowdown": [[1, 1], [2, 1.5]], "team": 0.6, "noise": 0.1},
             {"kind": "gpu", "count": 1, "per_weight": 0.1, "memory": 100, "processors": 2, "link": {"bandwidth": 5}}],
  "between_devices": {"bandwidth": 9, "latency": 1}, "changes": [{"unit": 0, "pass": 3, "speed": 2}]})");

const json tasks =
    json::parse(R"({"schema": "yoke-tasks/1", "name": "three", "n_tasks": 3, "weights": [1, 2, 3],
  "bytes": [8, 8, 8], "edges": [[0, 1, 10], [1, 2, 20]]})");

const json run =
    json::parse(R"({"schema": "yoke-npb/1", "benchmark": "SP-MZ", "class": "custom", "cus": "2x1",
  "iterations": 10, "seconds": 2, "bytes": [{"from": 0, "to": 1, "n": 100}],
  "units": [{"kind": "cpu", "busy_s": 1, "advance_s": 0.9, "exchange_s": 0.1},
            {"kind": "gpu", "busy_s": 1, "advance_s": 0.9, "exchange_s": 0.1}],
  "tasks": [{"id": 0, "unit": 0, "weight": 1}, {"id": 1, "unit": 1, "weight": 3}],
  "samples": {"tasks": [{"id": 0, "quantiles_s": [1, 1, 1, 2, 3], "apportioned": false}]}})");

}  // namespace

TEST_CASE("a changed machine file is read, or refused with its name", "[tools][property]") {
  const outcome seen =
      read_changed(machine, [](const std::string& path) { (void)tools::read_machine(path); });
  CHECK((seen.accepted > 0 && seen.refused > 0));
}

TEST_CASE("numbers that add up to more than a number holds are refused with their place", "[tools]") {
  const scratch_file file;
  json many = machine;
  for (json& group : many["groups"]) group["count"] = 2147483647;
  CHECK_THAT(support::message_of([&] { tools::read_machine(file.holding(many.dump())); }),
             Catch::Matchers::Contains("groups: have 4294967294 units together; 65536 at most"));
  json large = tasks;
  large["n_tasks"] = 10;
  large.erase("weights");
  large["bytes"] = std::vector<std::uint64_t>(10, 1'000'000'000'000'000'000);
  CHECK_THAT(support::message_of([&] { tools::read_tasks(file.holding(large.dump())); }),
             Catch::Matchers::Contains("bytes: add up to more than 9223372036854775807 bytes"));
  large = tasks;
  large["edges"] = json::array();
  for (int i = 0; i < 10; ++i) large["edges"].push_back({0, 1, 1'000'000'000'000'000'000});
  CHECK_THAT(support::message_of([&] { tools::read_tasks(file.holding(large.dump())); }),
             Catch::Matchers::Contains("edges: add up to more than 9223372036854775807 bytes"));
}

TEST_CASE("a changed file of tasks is read, or refused with its name", "[tools][property]") {
  const outcome seen = read_changed(tasks, [](const std::string& path) { (void)tools::read_tasks(path); });
  CHECK((seen.accepted > 0 && seen.refused > 0));
}

TEST_CASE("a changed run of NPB-MZ is calibrated from, or refused with its name", "[tools][property]") {
  const outcome seen = read_changed(run, [](const std::string& path) { (void)tools::calibrate({path}); });
  CHECK((seen.accepted > 0 && seen.refused > 0));
}

TEST_CASE("no text makes the parser of CPU lists throw anything but a config_error", "[tools][property]") {
  const int accepted = support::accepted_texts(
      {"0", "1", "7", "12", "65535", "65536", "-", ",", " "}, [](const std::string& text) {
        const std::vector<int> cpus = tools::parse_cpu_list(text, "--cpus");
        CHECK_FALSE(cpus.empty());
      });
  CHECK(accepted > 100);
}
