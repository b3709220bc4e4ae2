#pragma once
/// What programs of CUDA bring along for their arrays.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace by_hand {

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error{std::string{"CUDA: "} + cudaGetErrorString(code)};
}

/// n numbers on the current device.
class device_memory {
 public:
  explicit device_memory(std::size_t n) : n_{n} { check(cudaMalloc(&data_, n * sizeof(double))); }
  explicit device_memory(const std::vector<double>& values) : device_memory{values.size()} {
    check(cudaMemcpy(data_, values.data(), n_ * sizeof(double), cudaMemcpyHostToDevice));
  }
  ~device_memory() { cudaFree(data_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  double* data() const { return data_; }
  void swap(device_memory& other) {
    std::swap(data_, other.data_);
    std::swap(n_, other.n_);
  }
  std::vector<double> values() const {
    std::vector<double> found(n_);
    check(cudaMemcpy(found.data(), data_, n_ * sizeof(double), cudaMemcpyDeviceToHost));
    return found;
  }

 private:
  std::size_t n_;
  double* data_ = nullptr;
};

}  // namespace by_hand
