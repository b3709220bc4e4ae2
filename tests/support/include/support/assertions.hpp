#pragma once
/// Sees YOKE_ASSERT fire instead of the program aborting.

#include <stdexcept>
#include <string>

#include <yoke/error.hpp>

namespace support {

struct assertion_fired : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The message of the assertion that `call` breaks; another text when it breaks none.
template <class Call>
std::string assertion_of(const Call& call) {
  const auto before =
      yoke::detail::set_assertion_handler([](const std::string& message) { throw assertion_fired{message}; });
  std::string message = "(no assertion fired)";
  try {
    call();
  } catch (const assertion_fired& fired) {
    message = fired.what();
  }
  yoke::detail::set_assertion_handler(before);
  return message;
}

}  // namespace support
