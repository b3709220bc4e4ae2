#pragma once
/// A loop of eight tasks under round-robin, on two CUs.

#include "helpers.hpp"

#include <memory>
#include <utility>
#include <vector>

inline constexpr int n_tasks = 8;  // CU 0 has 0 2 | 4 6, CU 1 has 1 3 | 5 7

struct fixture {
  yoke::runtime rt;
  round_robin* plan = nullptr;
  yoke::task_loop loop;

  explicit fixture(std::vector<double> weights = {}) : loop{make(std::move(weights))} {}
  yoke::task_loop make(std::vector<double> weights) {
    auto own = std::make_unique<round_robin>(n_tasks, rt.units().size());
    plan = own.get();
    return rt.make_loop(std::move(own), {.n_tasks = n_tasks, .weights = std::move(weights)});
  }
};
