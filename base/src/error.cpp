#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {
std::atomic<assertion_handler> handler{nullptr};
}

assertion_handler set_assertion_handler(assertion_handler next) noexcept { return handler.exchange(next); }

void assertion_failed(const char* condition, const char* file, int line, const std::string& message) {
  const std::string text = std::string{"yoke: internal error: "} + message + " (" + condition + " at " +
                           file + ":" + std::to_string(line) + "); please report it";
  if (assertion_handler call = handler.load()) call(text);
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}

}  // namespace yoke::detail
