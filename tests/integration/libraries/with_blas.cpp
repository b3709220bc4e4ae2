// A program that multiplies matrices by OpenBLAS in the tasks of a run.
//   with_blas CUS THREADS           THREADS: that the library may use for a call
//   with_blas CUS THREADS slices    its calls are for columns of one matrix, one by each of the unit's own
//   team with_blas CUS THREADS hosted    beside the runs a thread of its own, on the last CPU, which calls it
//   too
#include "census.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <omp.h>
#include <string_view>
#include <thread>

#include <yoke/bind_team.hpp>

extern "C" {  // of cblas.h, which comes with the development packages only
void cblas_dgemm(int order, int a_is, int b_is, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void openblas_set_num_threads(int threads);
int openblas_get_parallel();
}

namespace {

constexpr int size = 192, by_columns = 102, as_it_is = 111, of_openmp = 2;

/// Whole numbers, of which sums are exact in any order.
struct matrices {
  explicit matrices(int task) : a(size * size), b(a), c(a) {
    for (int i = 0; i < size * size; ++i) {
      a[static_cast<std::size_t>(i)] = (i + task) % 7 - 3;
      b[static_cast<std::size_t>(i)] = (3 * i + task) % 11 - 5;
    }
  }
  void multiply(int first, int last) {
    cblas_dgemm(by_columns, as_it_is, as_it_is, size, last - first, size, 1, a.data(), size,
                &b.front() + first * size, size, 0, &c.front() + first * size, size);
  }
  /// Along a few columns.
  bool is_right() const {
    for (int j = 0; j < size; j += 31)
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += at(a, i, k) * at(b, k, j);
        if (sum != at(c, i, j)) return false;
      }
    return true;
  }
  static double at(const std::vector<double>& of, int row, int column) {
    return of[static_cast<std::size_t>(column * size + row)];
  }
  std::vector<double> a, b, c;
};

void allow_threads(int threads) {
  omp_set_num_threads(threads);
  if (openblas_get_parallel() != of_openmp) openblas_set_num_threads(threads);
}

void multiply_by_slices(matrices& of) {
  const int threads = yoke::cu::n_inner_cpus();
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    of.multiply(size * me / all, size * (me + 1) / all);
  }
}

/// How many of the eight products are wrong.
int multiply_in_tasks(yoke::runtime& rt, int threads, bool in_slices) {
  auto loop = rt.make_loop("static", {.n_tasks = 8});
  std::atomic<int> wrong{0};
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    if (!in_slices) allow_threads(threads);
    for (const yoke::task_id task : batch) {
      matrices one{task};
      in_slices ? multiply_by_slices(one) : one.multiply(0, size);
      if (!one.is_right()) ++wrong;
    }
  });
  return wrong;
}

/// Whether the product is right and all threads that it took stay on the CPU that was assigned.
bool multiply_hosted(int threads) {
  const yoke::place last{yoke::topology::of_this_machine().cpus().back().cpu};
  yoke::hosting cores;
  cores.assign_cpus(yoke::hosted::component(0), last);
  const auto others = census::threads();
  bool right = false;
  std::thread{[&] {
    yoke::bind_team(cores, yoke::hosted::component(0));
    if (openblas_get_parallel() != of_openmp) openblas_set_num_threads(threads);
    matrices one{3};
    one.multiply(0, size);
    right = one.is_right();
    for (const auto& [thread, cpus] : census::threads())
      right = right && (others.contains(thread) || cpus == census::list_of(last));
  }}.join();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 3 ? argv[3] : "";
  const int threads = std::atoi(argv[2]);
  yoke::runtime rt{argv[1]};
  const int wrong = multiply_in_tasks(rt, threads, how == "slices");
  std::printf("%d of 8 products are wrong\n", wrong);
  if (!census::all_in_units(rt.units(), threads) || wrong != 0) return 1;
  if (how != "hosted" || multiply_hosted(threads)) return 0;
  std::printf("the hosted product is wrong, or its threads left their CPU\n");
  return 1;
}
