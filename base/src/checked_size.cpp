#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

std::string product_in_words(std::span<const std::size_t> factors) {
  unsigned __int128 exact = 1;
  double about = 1;
  bool is_exact = true;
  for (const std::size_t each : factors) {
    is_exact = is_exact && !__builtin_mul_overflow(exact, each, &exact);
    about *= static_cast<double>(each);
  }
  return is_exact ? fmt::format("{}", exact) : fmt::format("about {:.1e}", about);
}

std::size_t bytes_of_elements(std::string_view what, std::span<const std::size_t> extents,
                              std::size_t element) {
  std::vector<std::size_t> factors{extents.begin(), extents.end()};
  std::ranges::replace(factors, std::size_t{0}, std::size_t{1});
  factors.push_back(element);
  if (!product_of(factors))
    throw usage_error{fmt::format(
        "{} of {} elements with {} bytes each: these are {} bytes, and memory has {} at most; {} elements of "
        "that size or fewer",
        what, fmt::join(extents, " x "), element, product_in_words(factors), most_addressable,
        most_addressable / element)};
  std::ranges::copy(extents, factors.begin());
  return *product_of(factors);
}

std::size_t bytes_of_elements(std::string_view what, std::size_t n, std::size_t element) {
  return bytes_of_elements(what, std::span{&n, 1}, element);
}

void refuse_index(std::uint64_t given) {
  throw usage_error{fmt::format("the number {} was given as an index or extent; {} at most", given,
                                std::numeric_limits<std::int64_t>::max())};
}

}  // namespace yoke::detail
