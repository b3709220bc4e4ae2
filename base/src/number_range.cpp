#include <charconv>
#include <fmt/format.h>

#include <yoke/number_range.hpp>

namespace yoke::detail {

std::optional<double> number_range::read(std::string_view text) const {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end || !has(value)) return std::nullopt;
  return value;
}

std::string number_range::accepted() const {
  return fmt::format("{}a number from {:g} to {:g}", zero && least > 0 ? "0, or " : "", least, most);
}

}  // namespace yoke::detail
