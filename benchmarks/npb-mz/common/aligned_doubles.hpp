#pragma once
/// Scratch memory of host solvers.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace npb {

/// Zeroed doubles that begin some cache lines behind the beginning of a page: alike in every run, and apart
/// from what else begins on a page where that matters. Where there are many, the system zeroes a page when it
/// is first used, near the CPU that does.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t n, std::size_t lines_behind_page = 0)
      : memory_{std::calloc(n * sizeof(double) + page + lines_behind_page * line, 1)} {
    if (memory_ == nullptr) throw std::bad_alloc{};
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.get());
    data_ = reinterpret_cast<double*>((begin + page - 1) / page * page + lines_behind_page * line);
  }
  double* data() const { return data_; }

 private:
  static constexpr std::size_t line = 64, page = 4096;  // bytes
  struct free_it {
    void operator()(void* p) const { std::free(p); }
  };
  std::unique_ptr<void, free_it> memory_;
  double* data_ = nullptr;
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
