#pragma once
/// What the blocks of each page of the guide take for given; see compile_blocks.py.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <omp.h>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/device_affinity.hpp>
#include <yoke/engine.hpp>
#include <yoke/hosting.hpp>
#include <yoke/performance.hpp>
#include <yoke/pinned_range.hpp>
#include <yoke/schedule_plugin.hpp>
#include <yoke/topology.hpp>
#include <yoke/yoke.hpp>
#include <yoke/zone_step.hpp>

/// A runtime and a loop of it.
namespace some {
extern yoke::runtime rt;
extern yoke::task_loop loop;
extern int n;
}  // namespace some

namespace of_arrays {
using namespace some;
using namespace yoke::loops;
namespace dist = yoke::dist;
enum { CblasRowMajor, CblasNoTrans };
void cblas_dgemm(int, int, int, std::int64_t, std::int64_t, std::int64_t, double, const double*, std::int64_t,
                 const double*, std::int64_t, double, double*, std::int64_t);
extern std::int64_t m, k;
extern double alpha;
extern std::vector<double> x_host, y_host, u_host;
extern yoke::array<double, 2> a, b, c;
extern std::int64_t nonzeros;
extern std::vector<std::int64_t> offsets_host;
extern std::vector<int> columns_host;
extern std::vector<double> values_host;
extern yoke::array<double, 1> x, y;
struct multiply {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<const std::int64_t, 1>, yoke::view<const int, 1>,
                          yoke::view<const double, 1>, yoke::view<const double, 1>,
                          yoke::view<double, 1>) const {}
};
struct axpy {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> x, yoke::view<double, 1> y,
                          double factor) const {
    y(at) += factor * x(at);
  }
};
}  // namespace of_arrays

namespace of_blas_fftw_mpi {
using namespace some;
enum { CblasColMajor, CblasNoTrans };
void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double,
                 double*, int);
void multiply_blocks();
void fftw_threads_set_callback(void (*)(void* (*)(char*), char*, std::size_t, int, void*), void*);
extern double *a, *b, *c;
using std::size_t;
}  // namespace of_blas_fftw_mpi

namespace of_compute_units {
using namespace some;
extern double* x;
}  // namespace of_compute_units

namespace of_engine_README {
extern std::span<yoke::device* const> devices;
extern std::size_t bytes;
extern void *on_host, *on_device;
extern std::shared_ptr<const yoke::flow::plan> fill, smooth;
}  // namespace of_engine_README

namespace of_gpus {
extern yoke::device& dev;
extern yoke::stream_handle stream;
extern double* halo;
extern std::vector<double> u;
extern std::size_t n, width;
}  // namespace of_gpus

namespace of_kernels {
using namespace some;
struct block {
  std::int64_t rows;
  yoke::placed<double> from, to;
};
struct relax {
  YOKE_HD void operator()(yoke::item at, std::int64_t w, yoke::device_ptr<const double> from,
                          yoke::device_ptr<double> to) const {
    to[at.x] = from[at.x + w];
  }
};
extern std::vector<block> blocks;
extern std::int64_t w, rows, nx, ny, nz;
extern yoke::placed<double> x, sums;
extern yoke::view<double, 3> u;
}  // namespace of_kernels

namespace of_multi_block {
extern yoke::zones& blocks;
extern yoke::zoned<double, 3>& u;
extern yoke::zone_recording& step;
}  // namespace of_multi_block

namespace of_placement {
extern yoke::task_loop loop;
extern yoke::runtime rt;
inline constexpr std::size_t n = 100;
struct axpy {
  YOKE_HD void operator()(yoke::item at, double a, yoke::device_ptr<const double> x,
                          yoke::device_ptr<double> y) const {
    y[at.x] += a * x[at.x];
  }
};
}  // namespace of_placement

namespace of_runtime {
extern int n;
extern std::vector<double> w;
void solve(yoke::task_id task);
}  // namespace of_runtime

namespace of_scheduling {
using namespace some;
using namespace yoke::scheduling;
extern std::vector<amount_limits> limits;
struct mine : yoke::schedule {
  mine(const yoke::workload& work, std::span<const yoke::unit> units, int chunk);
  std::span<const yoke::task_id> next(yoke::unit_id unit, yoke::pass_id pass) override;
  std::string describe() const override;
};
}  // namespace of_scheduling

namespace of_topology {}
