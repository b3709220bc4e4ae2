// Compiled as CUDA or HIP where Yoke is built for it, because it launches the kernels.
#include "placed.hpp"

#include "points.hpp"

#include <algorithm>
#include <span>

namespace user_kernels {

block::block(yoke::runtime& rt, std::int64_t n_layers, std::int64_t n_from, std::int64_t n_to)
    : layers{n_layers},
      from_values(static_cast<std::size_t>(n_from)),
      to_values(static_cast<std::size_t>(n_to)),
      from{rt, std::span{from_values}},
      to{rt, std::span{to_values}} {}

namespace {

using input = yoke::device_ptr<const double>;
using output = yoke::device_ptr<double>;

struct saxpy_kernel {
  YOKE_HD void operator()(yoke::item at, double factor, input x, output y) const {
    y[at.x] = saxpy(factor, x[at.x], y[at.x]);
  }
};

struct five_point_kernel {
  YOKE_HD void operator()(yoke::item at, std::int64_t width, input from, output to) const {
    const std::int64_t i = at.y * width + at.x + 1;
    to[i] = five_points(from, i, width);
  }
};

struct twenty_seven_point_kernel {
  YOKE_HD void operator()(yoke::item_3d at, std::int64_t width, std::int64_t plane, input from,
                          output to) const {
    const std::int64_t i = at.z * plane + (at.y + 1) * width + at.x + 1;
    to[i] = twenty_seven_points(from, i, width, plane);
  }
};

struct row_sum_kernel {
  YOKE_HD void operator()(yoke::item at, std::int64_t width, std::int64_t n, input from, output sums) const {
    sums[at.x] = sum_of_squares(from, at.x * width, n);
  }
};

struct sixty_kernel {
  YOKE_HD void operator()(yoke::item at, std::int64_t width, input from, output to) const {
    const std::int64_t i = at.y * width + at.x + 2;
    to[i] = sixty_operations(from, i, width);
  }
};

struct called_kernel {
  YOKE_HD void operator()(yoke::item at, std::int64_t width, input from, output to) const {
    const std::int64_t i = at.y * width + at.x + 2;
    to[i] = called_operations(from, i, width);
  }
};

struct look_up_kernel {
  YOKE_HD void operator()(yoke::item at, input values, input table, output results) const {
    results[at.x] = look_up(table, entries, values[at.x]);
  }
};

/// Of one block, on the calling CU; on a GPU CU it is left on the CU's stream.
void launch(const grid& g, block& b, const yoke::placed<double>& table) {
  const input from = b.from.here() + g.halo * g.layer;
  const output to = b.to.here();
  switch (g.what) {
    case kernel::saxpy:
      return yoke::launch_here<saxpy_kernel>({.x = b.layers}, "saxpy", 1e-9, from, to);
    case kernel::five_points:
      return yoke::launch_here<five_point_kernel>({.x = g.nx, .y = b.layers}, "five_points", g.width, from,
                                                  to);
    case kernel::twenty_seven_points:
      return yoke::launch_3d_here<twenty_seven_point_kernel>(
          {.x = g.nx, .y = g.ny, .z = b.layers}, "twenty_seven_points", g.width, g.layer, from, to);
    case kernel::row_sums:
      return yoke::launch_here<row_sum_kernel>({.x = b.layers}, "row_sums", g.width, g.nx, from, to);
    case kernel::sixty_operations:
      return yoke::launch_here<sixty_kernel>({.x = g.nx, .y = b.layers}, "sixty", g.width, from, to);
    case kernel::called_operations:
      return yoke::launch_here<called_kernel>({.x = g.nx, .y = b.layers}, "called", g.width, from, to);
    case kernel::look_up:
      return yoke::launch_here<look_up_kernel>({.x = b.layers}, "look_up", from, table.here(), to);
  }
}

std::vector<block> cut(yoke::runtime& rt, const grid& g, int tasks) {
  std::vector<block> blocks;
  for (int t = 0; t < tasks; ++t) {
    const std::int64_t first = g.layers * t / tasks, layers = g.layers * (t + 1) / tasks - first;
    blocks.emplace_back(rt, layers, (layers + 2 * g.halo) * g.layer, layers * g.results_of_layer);
    std::int64_t i = first * g.layer;
    for (double& value : blocks.back().from.host()) value = initial(i++);
  }
  return blocks;
}

}  // namespace

placed_grid::placed_grid(yoke::runtime& rt, const grid& shape, const std::string& schedule, int tasks)
    : rt_{rt},
      shape_{shape},
      blocks_{cut(rt, shape, static_cast<int>(std::min<std::int64_t>(tasks, shape.layers)))},
      table_{rt, std::span{table_values_}},
      loop_{rt.make_loop(schedule, {.n_tasks = static_cast<int>(blocks_.size())})} {}

void placed_grid::pass() {
  rt_.run(loop_, [&](std::span<const yoke::task_id> batch) {
    for (const int task : batch) launch(shape_, blocks_[static_cast<std::size_t>(task)], table_);
  });
}

std::vector<double> placed_grid::results() {
  std::vector<double> all;
  for (block& b : blocks_) {
    const std::span<const double> part = b.to.host();
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace user_kernels
