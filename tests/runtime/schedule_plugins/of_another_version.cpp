// What a shared object tells that was built against another version.
#include <yoke/schedule_factory.hpp>

extern "C" [[gnu::visibility("default")]] const yoke::detail::schedule_plugin* yoke_schedule_plugin() {
  static const yoke::detail::schedule_plugin other{yoke::detail::schedule_interface + 1,
                                                   yoke::detail::standard_library, nullptr};
  return &other;
}
