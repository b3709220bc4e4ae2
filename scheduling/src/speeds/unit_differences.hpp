#pragma once
/// How much units of one kind differ, as far as noise lets it be seen.

#include <span>
#include <vector>

namespace yoke::scheduling {

/// What one unit was seen to need for its work, in terms of the same line as all others.
struct unit_mean {
  double ratio = 1;
  double n = 0;         ///< batches; 0: it told nothing
  double variance = 0;  ///< of the ratio, by noise; > 0
};

struct unit_differences {
  double usual = 1;         ///< of those that are of one sort
  std::vector<double> own;  ///< 0 to 1: how far each unit is what it told, and not as usual
};

/// Bayes' rule over how much units may differ: most of them not at all, and a few are of another sort.
/// `units`: one told something.
unit_differences differences_of(std::span<const unit_mean> units);

}  // namespace yoke::scheduling
