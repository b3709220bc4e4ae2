// The backends, in the order of messages and of `auto`. A line here calls NAME_backend(), which comes from a
// folder of its own beside this one; CMake finds the folder by its CMakeLists.txt.
#include <yoke/backends.hpp>

#define YOKE_BACKENDS(line) line(cuda) line(hip) line(emulated)

namespace yoke::detail {

#define YOKE_DECLARE(name) backend name##_backend();
YOKE_BACKENDS(YOKE_DECLARE)

std::vector<backend> listed_backends() {
#define YOKE_CALL(name) name##_backend(),
  return {YOKE_BACKENDS(YOKE_CALL)};
}

}  // namespace yoke::detail
