// The list of backends with one line more, for programs that are linked with it: objects, so that it comes
// before the one of the library.
#include <yoke/backends.hpp>

#define YOKE_BACKENDS(line) line(toy) line(cuda) line(hip) line(emulated)

namespace yoke::detail {

#define YOKE_DECLARE(name) backend name##_backend();
YOKE_BACKENDS(YOKE_DECLARE)

std::vector<backend> listed_backends() {
#define YOKE_CALL(name) name##_backend(),
  return {YOKE_BACKENDS(YOKE_CALL)};
}

}  // namespace yoke::detail
