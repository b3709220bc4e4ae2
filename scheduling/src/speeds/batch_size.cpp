#include "batch_size.hpp"

#include <fmt/format.h>

namespace yoke::scheduling {

std::string batch_size::describe() const {
  const std::string gpu =
      gpu_chunk_ == half_share ? fmt::format("remaining/{}", twice_units_) : fmt::format("{}", gpu_chunk_);
  return fmt::format("chunk={}, gpu_chunk={}", chunk_, gpu);
}

}  // namespace yoke::scheduling
