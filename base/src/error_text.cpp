#include <yoke/detail/error_text.hpp>

namespace yoke::detail {

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    return failure.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace yoke::detail
