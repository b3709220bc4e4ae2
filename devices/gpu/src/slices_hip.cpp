#include "slices.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::gpu {

std::vector<std::unique_ptr<device>> split_device(device&, std::span<const device_request> requests) {
  const device_request& first = requests.front();
  throw config_error{fmt::format(
      "{}: a slice is a green context of CUDA, and HIP has nothing like it that graphs stay on; ask for "
      "all of the GPU, {}",
      name_of(first), name_of_device(first))};
}

}  // namespace yoke::gpu
