#pragma once
/// How many tasks of a pool a CPU unit gets at once.

#include <span>
#include <vector>

namespace yoke::scheduling {

/// At each position of `longest_first` (weights), how many tasks whoever asks there gets: what is a fair
/// share of the rest among `units`, one at least and one for each of its CPUs at most. So a long task is run
/// by a whole unit, and nobody takes what others could begin with. `rounds`: a share is dealt out in so many
/// parts.
std::vector<int> pool_batches(std::span<const double> longest_first, int units, int cpus_each,
                              int rounds = 1);

}  // namespace yoke::scheduling
