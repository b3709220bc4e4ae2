// Compiled as CUDA or HIP where Yoke is built for it, because it launches the kernel.
#include "blocks.hpp"

#include "kernel.hpp"

#include <span>
#include <utility>

namespace heat {

double initial(int x, int y) { return static_cast<double>((x * 37 + y * 101 + x * y * 7) % 64); }

namespace {

/// [0, n) in `parts` parts that differ by one at most: their begins, and n.
std::vector<int> cut(int n, int parts) {
  std::vector<int> begins;
  for (int i = 0; i <= parts; ++i) begins.push_back(static_cast<int>(static_cast<long long>(n) * i / parts));
  return begins;
}

void fill(block& b, int x0, int y0) {
  const std::span<double> field = b.field[0].host();
  for (int y = 0; y < b.h; ++y) {
    for (int x = 0; x < b.w; ++x) field[y * b.w + x] = initial(x0 + x, y0 + y);
  }
  for (int y = 0; y < b.h; ++y) {
    b.edges[0][west].host()[y] = initial(x0, y0 + y);
    b.edges[0][east].host()[y] = initial(x0 + b.w - 1, y0 + y);
  }
  for (int x = 0; x < b.w; ++x) {
    b.edges[0][south].host()[x] = initial(x0 + x, y0);
    b.edges[0][north].host()[x] = initial(x0 + x, y0 + b.h - 1);
  }
}

void allocate(block& b, yoke::runtime& rt) {
  const auto w = static_cast<std::size_t>(b.w), h = static_cast<std::size_t>(b.h);
  for (int level = 0; level < 2; ++level) {
    b.field[level] = {rt, w * h};
    for (const side s : {west, east}) b.edges[level][s] = {rt, h};
    for (const side s : {south, north}) b.edges[level][s] = {rt, w};
  }
}

}  // namespace

grid::grid(yoke::runtime& rt, int nx, int ny, int bx, int by)
    : nx_{nx},
      ny_{ny},
      bx_{bx},
      x0_{cut(nx, bx)},
      y0_{cut(ny, by)},
      blocks_(static_cast<std::size_t>(bx * by)) {
  for (int j = 0; j < by; ++j) {
    for (int i = 0; i < bx; ++i) {
      block& b = at(j * bx + i);
      b.w = x0_[i + 1] - x0_[i];
      b.h = y0_[j + 1] - y0_[j];
      allocate(b, rt);
      fill(b, x0_[i], y0_[j]);
      if (i > 0) b.neighbours[west] = &at(j * bx + i - 1);
      if (i + 1 < bx) b.neighbours[east] = &at(j * bx + i + 1);
      if (j > 0) b.neighbours[south] = &at((j - 1) * bx + i);
      if (j + 1 < by) b.neighbours[north] = &at((j + 1) * bx + i);
    }
  }
}

std::vector<double> grid::weights() const {
  std::vector<double> all;
  for (const block& b : blocks_) all.push_back(static_cast<double>(b.w) * b.h);
  return all;
}

std::vector<double> grid::gather(int steps) {
  std::vector<double> all(static_cast<std::size_t>(nx_) * ny_);
  for (int task = 0; task < n_blocks(); ++task) {
    block& b = at(task);
    const std::span<const double> field = std::as_const(b.field[steps % 2]).host();
    for (int y = 0; y < b.h; ++y) {
      for (int x = 0; x < b.w; ++x) {
        all[static_cast<std::size_t>(y0_[task / bx_] + y) * nx_ + x0_[task % bx_] + x] = field[y * b.w + x];
      }
    }
  }
  return all;
}

void bring_here(block& b, int step) {
  const int now = step % 2, next = 1 - now;
  auto& out = b.edges[next];
  yoke::bring_here(std::as_const(b.field[now]), b.field[next], out[west], out[east], out[south], out[north]);
  for (const side s : {west, east, south, north}) {
    if (b.neighbours[s] != nullptr) yoke::bring_here(std::as_const(b.neighbours[s]->edges[now][opposite(s)]));
  }
}

void compute(block& b, int step) {
  const int now = step % 2, next = 1 - now;
  step_view view{
      .w = b.w, .h = b.h, .from = b.field[now].read_here(), .to = b.field[next].here(), .in = {}, .out = {}};
  for (const side s : {west, east, south, north}) {
    if (b.neighbours[s] != nullptr) view.in[s] = b.neighbours[s]->edges[now][opposite(s)].read_here();
    view.out[s] = b.edges[next][s].here();
  }
  yoke::launch_here<heat_step>({.x = b.w, .y = b.h}, "heat_step", view);
}

}  // namespace heat
