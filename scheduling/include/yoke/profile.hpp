// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a schedule has learnt in a run, as plain numbers: for a later run of the same work on the same units.

#include <span>
#include <string>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/speed_fit.hpp>

namespace yoke {

struct workload;
struct unit;

/// Of one unit: what it usually needs, and what it needs in nine batches of ten.
struct unit_profile {
  speed usual{};
  speed careful{};
  int runs = 1;  ///< that have seen it

  /// False of a unit that ran nothing that could be timed.
  bool is_known() const { return usual.per_weight > 0; }
};

/// A map that was measured, in the words of the schedule ("both-kinds" 28), and what a pass took with it.
struct map_profile {
  std::string use;
  int number = 0;
  seconds pass = 0;
  double error = 0;  ///< relative, of `pass`
};

/// All that one run has learnt, or what several say together: given out by schedule::learnt, taken by
/// schedule::recall. Relative to the weights of the workload that it is of.
struct profile {
  std::vector<unit_profile> units{};  ///< one for each unit; of one that was not heard of: nothing
  std::vector<map_profile> maps{};
  double days = 0;  ///< since the newest run that it is of

  bool is_empty() const { return units.empty(); }
};

/// What one run has learnt, and how long ago.
struct aged_profile {
  profile learnt;
  double days = 0;
};

/// What several runs say together. A run counts half as much after 30 days and nothing after 180. Most noise
/// only delays, and one bad run must count for nothing: of a GPU's times the lower quartile is taken, of
/// others and of passes the quantile of 0.4, so that of two the shorter one counts. Pure; runs in any order.
profile merged(std::span<const aged_profile> runs, const workload& work, std::span<const unit> units);

}  // namespace yoke
