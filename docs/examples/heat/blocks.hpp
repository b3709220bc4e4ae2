#pragma once
/// The 2D heat equation on a grid that is cut into blocks; one block is one task.
///
/// A block's field and its outgoing edges are placed, so each lives where the block is computed. A step reads
/// the edges that the neighbours wrote in the step before and writes its own for the next: what was written
/// in one memory and is read in another is copied there, and nothing moves inside one memory. Every edge has
/// one writer and one reader and two copies in turn, so that blocks of one step may run in any order.

#include <array>
#include <vector>

#include <yoke/yoke.hpp>

namespace heat {

enum side { west, east, south, north };
constexpr int n_sides = 4;
constexpr side opposite(side s) { return static_cast<side>(s ^ 1); }

/// One block of w x h points, both time levels.
struct block {
  int w = 0;
  int h = 0;
  std::array<yoke::placed<double>, 2> field;
  std::array<std::array<yoke::placed<double>, n_sides>, 2> edges;  ///< [time level][side], outgoing
  std::array<block*, n_sides> neighbours{};  ///< nullptr at the border, where the field is 0
};

/// nx x ny points in bx x by blocks.
class grid {
 public:
  /// Starts from initial(x, y).
  grid(yoke::runtime& rt, int nx, int ny, int bx, int by);
  int n_blocks() const { return static_cast<int>(blocks_.size()); }
  block& at(int task) { return blocks_[static_cast<std::size_t>(task)]; }
  /// Points of each block.
  std::vector<double> weights() const;
  /// Brings the field after `steps` steps to the host, row by row.
  std::vector<double> gather(int steps);

 private:
  int nx_;
  int ny_;
  int bx_;
  std::vector<int> x0_;  ///< of each column of blocks, and the end
  std::vector<int> y0_;
  std::vector<block> blocks_;
};

/// Any start would do; this one has no symmetry that could hide a mistake.
double initial(int x, int y);

/// Brings what step `step` of this block reads and writes into the calling CU's memory.
void bring_here(block& b, int step);
/// Runs the step on the calling CU; on a GPU CU it is left on the CU's stream.
void compute(block& b, int step);

}  // namespace heat
