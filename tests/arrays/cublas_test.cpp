/// cuBLAS on the streams of GPU CUs, as the body of a loop.
#include <cstdint>
#include <cublas_v2.h>
#include <map>
#include <mutex>
#include <stdexcept>
#include <support/catch.hpp>
#include <vector>

#include <yoke/arrays.hpp>
#include <yoke/gpu.hpp>

namespace {

using namespace yoke::loops;
namespace dist = yoke::dist;

constexpr std::int64_t n = 301, m = 203, k = 157;

/// One for each GPU CU.
cublasHandle_t handle_of(const yoke::part<2>& p) {
  static std::mutex lock;
  static std::map<int, cublasHandle_t> all;
  const std::lock_guard guard{lock};
  cublasHandle_t& handle = all[p.unit()];
  if (handle == nullptr && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error{"cublasCreate"};
  return handle;
}

struct multiply_by_cublas : yoke::whole_part {
  void operator()(const yoke::part<2>& p, yoke::view<const double, 2> a, yoke::view<const double, 2> b,
                  yoke::view<double, 2> c) const {
    if (yoke::gpu::set_device(p.dev()->info().ordinal) != yoke::gpu::success)
      throw std::runtime_error{"set_device"};
    cublasHandle_t const handle = handle_of(p);
    const double one = 1, zero = 0;
    // Row after row as columns: the transposed product.
    if (cublasSetStream(handle, yoke::gpu::native(p.stream())) != CUBLAS_STATUS_SUCCESS ||
        cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(p.extent(1)),
                    static_cast<int>(p.extent(0)), static_cast<int>(k), &one, b.first().address(),
                    static_cast<int>(b.stride(0)), a.first().address(), static_cast<int>(a.stride(0)), &zero,
                    c.first().address(), static_cast<int>(c.stride(0))) != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error{"cublasDgemm"};
  }
};
struct multiply : yoke::whole_part {
  void operator()(const yoke::part<2>& p, yoke::view<const double, 2> a, yoke::view<const double, 2> b,
                  yoke::view<double, 2> c) const {
    for (std::int64_t i = p.begin(0); i < p.end(0); ++i)
      for (std::int64_t j = p.begin(1); j < p.end(1); ++j) {
        double sum = 0;
        for (std::int64_t l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
        c(i, j) = sum;
      }
  }
};
struct add_one {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x) const { x(at) += 1; }
};

/// Small whole numbers: any order of sums gives the same.
std::vector<double> numbers(std::int64_t rows, std::int64_t columns, std::int64_t factor) {
  std::vector<double> made(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<double>(static_cast<std::int64_t>(i) * factor % 17 - 8);
  return made;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(n * m);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t l = 0; l < k; ++l)
      for (std::int64_t j = 0; j < m; ++j)
        c[static_cast<std::size_t>(i * m + j)] +=
            a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * m + j)];
  return c;
}

}  // namespace

TEST_CASE("cuBLAS multiplies the parts of GPUs between loops over them", "[arrays]") {
  yoke::runtime rt;
  std::vector<double> a = numbers(n, k, 7), b = numbers(k, m, 11);
  yoke::array<double, 2> x{rt, {n, k}, {dist::block, dist::duplicate}, yoke::attach(a)};
  yoke::array<double, 2> y{rt, {k, m}, {dist::duplicate, dist::duplicate}, yoke::attach(b)};
  yoke::array<double, 2> c{rt, {n, m}, {dist::block, dist::duplicate}};
  const auto step = [&] {
    yoke::for_each<add_one>(rt, {n, k}, inout(x));  // what the stream has been given comes first
    yoke::for_each<yoke::variants<cpu<multiply>, gpu<multiply_by_cublas>>>(rt, {n, m}, in(x), in(y), out(c));
    yoke::for_each<add_one>(rt, {n, m}, inout(c));
  };
  std::vector<double> model = a;
  const auto wanted = [&](int steps) {
    for (double& each : model) each += steps;
    std::vector<double> of_model = product(model, b);
    for (double& each : of_model) each += 1;
    return of_model;
  };
  step();
  CHECK(c.gather() == wanted(1));
  yoke::recording again = yoke::record(rt, step);
  again.replay();
  again.replay();
  CHECK(c.gather() == wanted(2));
}
