#pragma once
/// Memory of GPUs that the loops of a recording use each time.

#include "../context.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace yoke::detail {

class recorded_memory {
 public:
  explicit recorded_memory(std::shared_ptr<array_context> context) : context_{std::move(context)} {}
  ~recorded_memory() { clear(); }
  recorded_memory(const recorded_memory&) = delete;
  recorded_memory& operator=(const recorded_memory&) = delete;

  /// Of its own for each call. Errors: out_of_memory.
  void* scratch(const gpu_unit& gpu, std::size_t bytes, const scratch_purpose& purpose);
  /// To be copied when the steps whose results are wanted have been queued.
  void copy_to_host_at_end(const gpu_unit& gpu, void* to, const void* from, std::size_t bytes) {
    results_.push_back({&gpu, to, from, bytes, step});
  }
  /// Of steps [first, last).
  void queue_results(std::size_t first, std::size_t last) const;
  /// Requires: nothing that is queued uses it.
  void clear() noexcept;

  std::size_t step = 0;  ///< that is being listed

 private:
  struct result {
    const gpu_unit* gpu;
    void* to;
    const void* from;
    std::size_t bytes;
    std::size_t step;
  };

  std::shared_ptr<array_context> context_;
  std::vector<key> regions_;
  std::vector<result> results_;
};

}  // namespace yoke::detail
