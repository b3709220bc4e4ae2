// Compiled as CUDA or HIP where Yoke is built for it, because it launches kernels.
#include "field.hpp"

#include "kernel.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace jacobi {

namespace {

int first_row(int n, int task, int n_blocks) { return static_cast<int>(std::int64_t{n} * task / n_blocks); }

}  // namespace

field::field(yoke::runtime& rt, int n, int n_blocks) : n_{n}, blocks_(static_cast<std::size_t>(n_blocks)) {
  const auto row = static_cast<std::size_t>(n);
  for (int task = 0; task < n_blocks; ++task) {
    block& b = at(task);
    const int begin = first_row(n, task, n_blocks);
    b.rows = first_row(n, task + 1, n_blocks) - begin;
    const auto rows = static_cast<std::size_t>(b.rows);
    for (std::size_t k = 0; k < 2; ++k) {
      b.values[k] = {rt, rows * row};
      b.first[k] = {rt, row};
      b.last[k] = {rt, row};
    }
    b.largest = {rt, rows};
    fill(b, begin);
  }
}

void field::fill(block& b, int begin) {
  const std::span<double> values = b.values[0].host(), first = b.first[0].host(), last = b.last[0].host();
  for (int y = 0; y < b.rows; ++y)
    for (int x = 0; x < n_; ++x) values[static_cast<std::size_t>(y) * n_ + x] = initial(x, begin + y);
  std::ranges::copy(values.first(first.size()), first.begin());
  std::ranges::copy(values.last(last.size()), last.begin());
}

std::vector<double> field::weights() const {
  std::vector<double> all;
  for (const block& b : blocks_) all.push_back(b.rows);
  return all;
}

std::vector<std::size_t> field::bytes() const {
  constexpr std::size_t iterations = 2, edges = 4;  // its own, and what the neighbours' are copied to
  const auto row = static_cast<std::size_t>(n_);
  std::vector<std::size_t> all;
  for (const block& b : blocks_) {
    const auto rows = static_cast<std::size_t>(b.rows);
    all.push_back(sizeof(double) * (iterations * (rows + edges) * row + rows));
  }
  return all;
}

void field::bring_here(int task, int k) {
  const std::size_t now = k % 2, next = 1 - now;
  block& b = at(task);
  yoke::bring_here(std::as_const(b.values[now]), b.values[next], b.first[next], b.last[next]);
  if (task > 0) yoke::bring_here(std::as_const(at(task - 1).last[now]));
  if (task + 1 < n_blocks()) yoke::bring_here(std::as_const(at(task + 1).first[now]));
}

void field::compute(int task, int k) {
  const std::size_t now = k % 2, next = 1 - now;
  block& b = at(task);
  step_view view{.n = n_,
                 .rows = b.rows,
                 .from = b.values[now].read_here(),
                 .to = b.values[next].here(),
                 .below = {},
                 .above = {},
                 .first = b.first[next].here(),
                 .last = b.last[next].here()};
  if (task > 0) view.below = at(task - 1).last[now].read_here();
  if (task + 1 < n_blocks()) view.above = at(task + 1).first[now].read_here();
  yoke::launch_here<iterate>({.x = n_, .y = b.rows}, "iterate", view);
}

void field::find_residual(int task, int k) {
  block& b = at(task);
  yoke::launch_blocks_here<largest_change>({.x = b.rows}, largest_change::shared_bytes, "largest_change",
                                           std::int64_t{n_}, b.values[k % 2].read_here(),
                                           b.values[1 - k % 2].read_here(), b.largest.here());
}

double field::residual() {
  double most = 0;
  for (block& b : blocks_) most = std::max(most, std::ranges::max(std::as_const(b.largest).host()));
  return most;
}

std::vector<double> field::gather(int k) {
  std::vector<double> all;
  for (block& b : blocks_) {
    const std::span<const double> part = std::as_const(b.values[k % 2]).host();
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace jacobi
