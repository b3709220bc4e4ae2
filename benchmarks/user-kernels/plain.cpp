#include "plain.hpp"

#include "points.hpp"

namespace user_kernels {

namespace {

void saxpy_pass(const grid& g, int threads, const double* x, double* y) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < g.layers; ++i) y[i] = saxpy(1e-9, x[i], y[i]);
}

void five_point_pass(const grid& g, int threads, const double* from, double* to) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t y = 0; y < g.layers; ++y) {
    for (std::int64_t x = 0; x < g.nx; ++x) {
      const std::int64_t i = y * g.width + x + 1;
      to[i] = five_points(from + g.width, i, g.width);
    }
  }
}

void twenty_seven_point_pass(const grid& g, int threads, const double* from, double* to) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t z = 0; z < g.layers; ++z) {
    for (std::int64_t y = 0; y < g.ny; ++y) {
      for (std::int64_t x = 0; x < g.nx; ++x) {
        const std::int64_t i = z * g.layer + (y + 1) * g.width + x + 1;
        to[i] = twenty_seven_points(from + g.layer, i, g.width, g.layer);
      }
    }
  }
}

void row_sum_pass(const grid& g, int threads, const double* from, double* sums) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t y = 0; y < g.layers; ++y) sums[y] = sum_of_squares(from, y * g.width, g.nx);
}

void sixty_operations_pass(const grid& g, int threads, const double* from, double* to) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t y = 0; y < g.layers; ++y) {
    for (std::int64_t x = 0; x < g.nx; ++x) {
      const std::int64_t i = y * g.width + x + 2;
      to[i] = sixty_operations(from + 2 * g.width, i, g.width);
    }
  }
}

void called_operations_pass(const grid& g, int threads, const double* from, double* to) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t y = 0; y < g.layers; ++y) {
    for (std::int64_t x = 0; x < g.nx; ++x) {
      const std::int64_t i = y * g.width + x + 2;
      to[i] = called_operations(from + 2 * g.width, i, g.width);
    }
  }
}

void look_up_pass(const grid& g, int threads, const double* values, const double* table, double* results) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < g.layers; ++i) results[i] = look_up(table, entries, values[i]);
}

}  // namespace

plain_grid::plain_grid(const grid& shape, int threads)
    : shape_{shape},
      threads_{threads},
      from_(static_cast<std::size_t>((shape.layers + 2 * shape.halo) * shape.layer)),
      to_(static_cast<std::size_t>(shape.layers * shape.results_of_layer)) {
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] = initial(static_cast<std::int64_t>(i));
}

void plain_grid::pass() {
  switch (shape_.what) {
    case kernel::saxpy:
      return saxpy_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::five_points:
      return five_point_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::twenty_seven_points:
      return twenty_seven_point_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::row_sums:
      return row_sum_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::sixty_operations:
      return sixty_operations_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::called_operations:
      return called_operations_pass(shape_, threads_, from_.data(), to_.data());
    case kernel::look_up:
      return look_up_pass(shape_, threads_, from_.data(), table_.data(), to_.data());
  }
}

}  // namespace user_kernels
