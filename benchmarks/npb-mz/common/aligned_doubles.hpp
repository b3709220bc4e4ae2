#pragma once
/// Scratch memory of host solvers.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace npb {

/// Zeroed doubles that begin on a cache line.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t n)
      : memory_{static_cast<double*>(std::aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64))} {
    if (memory_ == nullptr) throw std::bad_alloc{};
    std::fill_n(memory_.get(), n, 0.0);
  }
  double* data() const { return memory_.get(); }

 private:
  struct free_it {
    void operator()(double* p) const { std::free(p); }
  };
  std::unique_ptr<double, free_it> memory_;
};

/// Part `part` of `parts` of the interior indices 1..n-2: [first, last).
struct index_range {
  int first;
  int last;
};
inline index_range share_of(int n, int part, int parts) {
  const auto cut = [&](int p) { return 1 + static_cast<int>(std::int64_t{n - 2} * p / parts); };
  return {cut(part), cut(part + 1)};
}

}  // namespace npb
