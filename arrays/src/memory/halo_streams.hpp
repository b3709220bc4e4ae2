#pragma once
/// Streams beside those of the GPU CUs, on which halos travel while loops run.

#include "../context.hpp"

#include <memory>
#include <vector>

namespace yoke::detail {

class halo_streams {
 public:
  /// The ones of the context; made where no array has them yet.
  static std::shared_ptr<halo_streams> of(const std::shared_ptr<array_context>& context);

  explicit halo_streams(std::shared_ptr<array_context> context);
  ~halo_streams();
  halo_streams(const halo_streams&) = delete;
  halo_streams& operator=(const halo_streams&) = delete;

  /// The GPU CU, with the stream beside its own.
  const gpu_unit& beside(const gpu_unit& gpu) const {
    return all_[static_cast<std::size_t>(gpu.unit - context_->n_cpu_units)];
  }
  std::span<const gpu_unit> all() const { return all_; }

 private:
  void destroy() noexcept;

  std::shared_ptr<array_context> context_;
  std::vector<gpu_unit> all_;  ///< in the order of the context's
};

}  // namespace yoke::detail
