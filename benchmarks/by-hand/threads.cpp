// The forms by hand where there is no CUDA: loops of OpenMP, with as many threads as it has.
#include "forms.hpp"

#include <utility>

namespace by_hand {

namespace {

class of_threads : public form {
 public:
  explicit of_threads(std::int64_t n) : n_{n} {}
  void finish() override {}

 protected:
  std::int64_t n_;
};

class adder final : public of_threads {
 public:
  using of_threads::of_threads;
  void run() override {
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j) c_[i * n_ + j] = a_[i * n_ + j] + b_[i * n_ + j];
  }
  std::vector<double> result() override { return c_; }

 private:
  std::vector<double> a_ = wave(n_), b_ = a_, c_ = a_;
};

class multiplier final : public of_threads {
 public:
  using of_threads::of_threads;
  void run() override {
#pragma omp parallel for
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < n_; ++k) sum += a_[i * n_ + k] * b_[k * n_ + j];
        c_[i * n_ + j] = sum;
      }
  }
  std::vector<double> result() override { return c_; }

 private:
  std::vector<double> a_ = wave(n_), b_ = a_, c_ = a_;
};

class sweeper final : public of_threads {
 public:
  using of_threads::of_threads;
  void run() override {
    u_.swap(old_);
#pragma omp parallel for
    for (std::int64_t i = 1; i < n_ - 1; ++i)
      for (std::int64_t j = 1; j < n_ - 1; ++j) {
        const std::int64_t at = i * n_ + j;
        u_[at] = 0.25 * ((old_[at - n_] + old_[at + n_]) + (old_[at - 1] + old_[at + 1]));
      }
  }
  std::vector<double> result() override { return u_; }

 private:
  std::vector<double> u_ = wave(n_), old_ = u_;
};

}  // namespace

std::unique_ptr<form> launched_add(std::int64_t n) { return std::make_unique<adder>(n); }
std::unique_ptr<form> launched_multiply(std::int64_t n) { return std::make_unique<multiplier>(n); }
std::unique_ptr<form> launched_jacobi(std::int64_t n) { return std::make_unique<sweeper>(n); }

}  // namespace by_hand
