#pragma once
/// An n x n field in blocks of rows; a block is a task. What a block owns is placed, so it lives where the
/// block is computed; of its neighbours it reads one row each, which they wrote in the iteration before.

#include <array>
#include <cstddef>
#include <vector>

#include <yoke/yoke.hpp>

namespace jacobi {

struct block {
  int rows = 0;
  std::array<yoke::placed<double>, 2> values;       ///< both iterations
  std::array<yoke::placed<double>, 2> first, last;  ///< rows for the neighbours, of both iterations
  yoke::placed<double> largest;                     ///< change of each row
};

class field {
 public:
  /// Starts from initial(x, y).
  field(yoke::runtime& rt, int n, int n_blocks);

  int n_blocks() const { return static_cast<int>(blocks_.size()); }
  /// Rows of each block.
  std::vector<double> weights() const;
  /// Memory of each block, with what it reads of its neighbours.
  std::vector<std::size_t> bytes() const;
  /// Brings what iteration `k` of this block reads and writes into the calling CU's memory.
  void bring_here(int task, int k);
  /// Runs the iteration on the calling CU; on a GPU CU it is left on the CU's stream.
  void compute(int task, int k);
  /// The same for the residual of iteration `k`, which has been computed there.
  void find_residual(int task, int k);
  /// The largest of them all; outside of runs.
  double residual();
  /// The field after `k` iterations, on the host.
  std::vector<double> gather(int k);

 private:
  void fill(block& b, int begin);
  block& at(int task) { return blocks_[static_cast<std::size_t>(task)]; }

  int n_;
  std::vector<block> blocks_;
};

}  // namespace jacobi
