#include "device_memory.hpp"
#include "forms.hpp"

namespace by_hand {

namespace {

__global__ void multiply(std::int64_t n, const double* a, const double* b, double* c) {
  const std::int64_t j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  double sum = 0;
  for (std::int64_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

class multiplier final : public form {
 public:
  explicit multiplier(std::int64_t n) : n_{n} {}
  void run() override {
    const dim3 block{64, 4};
    const dim3 blocks{static_cast<unsigned>((n_ + 63) / 64), static_cast<unsigned>((n_ + 3) / 4)};
    multiply<<<blocks, block>>>(n_, a_.data(), b_.data(), c_.data());
    check(cudaGetLastError());
  }
  void finish() override { check(cudaDeviceSynchronize()); }
  std::vector<double> result() override { return c_.values(); }

 private:
  std::int64_t n_;
  device_memory a_{wave(n_)}, b_{wave(n_)}, c_{static_cast<std::size_t>(n_ * n_)};
};

}  // namespace

std::unique_ptr<form> launched_multiply(std::int64_t n) { return std::make_unique<multiplier>(n); }

}  // namespace by_hand
