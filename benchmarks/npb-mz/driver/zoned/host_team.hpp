#pragma once
/// The CPUs of one CPU CU on many zones.

#include "common/solver.hpp"
#include "driver/faces/faces.hpp"

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <yoke/team_plan.hpp>

namespace npb {

/// Zones that are in host memory, in the order of their numbers.
struct zones_on_host {
  std::span<const int> numbers;
  std::span<const host_zone> fields;
  /// Of each zone, for all_sides: the place of the neighbour that takes its face; -1: it is not among them.
  std::span<const std::array<int, n_sides>> takers;
};

/// Call from the CU's outer thread.
class host_team {
 public:
  host_team(const benchmark& what, int n_threads);

  /// A step of each zone. Its CPUs take zones of their own as far as these go round, and the others together.
  void advance(const zones_on_host& zones);
  /// Copies faces to those who take them.
  void send_faces(const zones_on_host& zones) const;

  using work = std::function<void(int zone, const host_zone& fields, int n_threads)>;
  /// Calls `each` for all of them, side by side. Errors: the first of these.
  void for_each(const zones_on_host& zones, const work& each) const;

 private:
  host_solver& alone(int thread);
  void run_own(const zones_on_host& zones);
  template <class Body>
  void in_team(const Body& body) const;

  const benchmark& what_;
  int n_threads_;
  std::vector<double> weights_;
  std::unique_ptr<host_solver> together_;
  std::vector<std::unique_ptr<host_solver>> alone_;  ///< by thread
  std::vector<int> planned_;                         ///< zones that plan_ is for
  yoke::scheduling::team_plan plan_;                 ///< of places in these
};

}  // namespace npb
