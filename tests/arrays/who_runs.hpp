#pragma once
/// Which unit runs which indices of a loop.

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include <yoke/arrays.hpp>

namespace arrays_test {

/// Who was called for which indices.
struct witness : yoke::whole_part {
  struct piece {
    int unit;
    yoke::bound rows;
    friend bool operator==(const piece&, const piece&) = default;
  };
  static inline std::mutex lock;
  static inline std::vector<piece> seen;

  void operator()(const yoke::part<1>& p, const auto&...) const {
    const std::lock_guard guard{lock};
    seen.push_back({p.unit(), {p.begin(0), p.end(0)}});
  }
};

template <class... Args>
std::vector<witness::piece> who_runs(yoke::runtime& rt, yoke::bound over, const Args&... args) {
  witness::seen.clear();
  yoke::for_each<witness>(rt, {over}, args...);
  std::ranges::sort(witness::seen, {}, [](const witness::piece& each) { return each.rows.begin; });
  return witness::seen;
}

}  // namespace arrays_test
