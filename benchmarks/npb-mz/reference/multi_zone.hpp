#pragma once
/// All zones of a benchmark in host memory, one after the other: the smallest correct program. SPEC.md §8,
/// §12 and §13.

#include "../common/solver.hpp"

#include <concepts>
#include <memory>
#include <vector>

namespace npb::reference {

/// One time step of one zone, by the plain loops of sp.hpp, bt.hpp or lu.hpp.
void advance(benchmark_kind kind, const constants& c, const host_zone& zone);

/// The zones at the start of a run.
struct multi_zone {
  std::unique_ptr<benchmark> bench;
  std::vector<std::vector<double>> u;
  std::vector<std::vector<double>> forcing;
  std::vector<std::vector<double>> residual;  ///< empty vectors in BT and SP

  explicit multi_zone(std::unique_ptr<benchmark> of);

  int size() const { return static_cast<int>(u.size()); }
  const zone_shape& shape(int z) const { return bench->what().zones[static_cast<std::size_t>(z)].shape; }
  host_zone fields(int z);

  /// The initial state of all zones again.
  void initialize();
  /// Every zone's boundary planes in x and y become the neighbours' first interior planes, §8.
  void exch_qbc();
  /// A time step: the exchange, then step_of(fields) of each zone.
  template <std::invocable<const host_zone&> StepOf>
  void step(const StepOf& step_of) {
    exch_qbc();
    for (int z = 0; z < size(); ++z) step_of(fields(z));
  }
  /// A step by the plain loops, and one by a solver.
  void step();
  void step(host_solver& solver);

  std::vector<zone_norms> norms_of_zones();
  /// §13.
  zone_norms norms() { return total_norms(norms_of_zones()); }
};

}  // namespace npb::reference
