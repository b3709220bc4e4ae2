#pragma once
/// An engine over emulated devices, with pieces of some numbers.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <yoke/emulated.hpp>
#include <yoke/engine.hpp>

namespace engine_tests {

inline constexpr std::size_t n_numbers = 64;

/// The device of that number, of the kind that a program of tests has.
std::unique_ptr<yoke::device> open_device(int number, const yoke::emulated_options& options);
/// Why it has none; empty where it has.
std::string why_no_device();

struct node {
  node(int n_devices, int n_seats, const yoke::emulated_options& of_first = {},
       const yoke::emulated_options& of_others = {}) {
    for (int i = 0; i < n_devices; ++i) {
      owned.push_back(open_device(i, i == 0 ? of_first : of_others));
      devices.push_back(owned.back().get());
    }
    engine = std::make_unique<yoke::flow::engine>(
        devices, yoke::flow::engine_options{.n_seats = n_seats, .queues_of_group = 2});
  }
  ~node() {
    engine.reset();
    for (const auto& [dev, address] : memory) dev->deallocate(address);
  }
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  yoke::versions::piece add(const std::string& name) {
    host.push_back(std::make_unique<std::array<std::int64_t, n_numbers>>());
    std::vector<void*> addresses{host.back()->data()};
    for (yoke::device* const each : devices) {
      addresses.push_back(each->allocate(n_numbers * sizeof(std::int64_t)));
      memory.emplace_back(each, addresses.back());
    }
    const yoke::versions::piece made = engine->add(name, n_numbers * sizeof(std::int64_t), addresses);
    numbers_of.emplace_back(made, host.back().get());
    return made;
  }
  const std::array<std::int64_t, n_numbers>* host_of(yoke::versions::piece what) const {
    for (const auto& [piece, numbers] : numbers_of)
      if (piece == what) return numbers;
    return nullptr;
  }

  std::vector<std::unique_ptr<yoke::device>> owned;
  std::vector<yoke::device*> devices;
  std::vector<std::unique_ptr<std::array<std::int64_t, n_numbers>>> host;
  std::vector<std::pair<yoke::versions::piece, const std::array<std::int64_t, n_numbers>*>> numbers_of;
  std::vector<std::pair<yoke::device*, void*>> memory;
  std::unique_ptr<yoke::flow::engine> engine;
};

}  // namespace engine_tests
