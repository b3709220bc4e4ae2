#pragma once
/// The lists of units that a program uses, each with what is ready for it.

#include "machine_view.hpp"
#include "ready_queue.hpp"

#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace yoke::scheduling {

struct unit_list {
  std::vector<int> units;  ///< ascending
  int cpus = 1;
  ready_queue ready{};
  seconds work = 0;  ///< of what is ready, each on the unit that is fastest for it; as far as known
};

class unit_lists {
 public:
  /// List 0: all of so many.
  explicit unit_lists(std::size_t n_units) {
    std::vector<int> all(n_units);
    std::iota(all.begin(), all.end(), 0);
    number_of(std::move(all), 1);
  }

  /// Cost: O(units * log lists).
  std::uint32_t number_of(std::vector<int> units, int cpus) {
    const auto [at, is_new] =
        numbers_.try_emplace({std::move(units), cpus}, static_cast<std::uint32_t>(lists_.size()));
    if (is_new) lists_.push_back({.units = at->first.first, .cpus = cpus});
    return at->second;
  }
  unit_list& operator[](std::uint32_t list) { return lists_[list]; }
  const std::vector<unit_list>& all() const { return lists_; }

 private:
  std::map<std::pair<std::vector<int>, int>, std::uint32_t> numbers_;
  std::vector<unit_list> lists_;
};

}  // namespace yoke::scheduling
