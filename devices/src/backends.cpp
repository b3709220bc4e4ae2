#include <algorithm>
#include <array>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>

namespace yoke {

std::span<const backend> all_backends() {
  static const std::array list{
      detail::cuda_backend(),
      detail::hip_backend(),
      detail::emulated_backend(),
  };
  return list;
}

const backend& backend_of(backend_kind kind) {
  const auto list = all_backends();
  const auto found = std::ranges::find(list, kind, &backend::kind);
  YOKE_ASSERT(found != list.end(), "a backend is not in the list");
  return *found;
}

}  // namespace yoke
