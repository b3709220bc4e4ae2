/// What messages call the body of a loop.
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include <yoke/detail/loop_kernels.hpp>

namespace yoke::detail {

namespace {

/// "lambda at solver.cpp:12:7" of lambda_body<…>, as clang tells a lambda's place; all of the text where a
/// compiler tells none.
std::string name_of_lambda(std::string_view body) {
  constexpr std::string_view before = "(lambda at ";
  body = body.substr(0, body.rfind('>'));
  const bool has_place = body.starts_with(before);
  if (has_place) body = body.substr(before.size(), body.find(')') - before.size());
  const std::size_t last = body.rfind(has_place ? "/" : "::");
  const bool is_whole = last == std::string_view::npos || (!has_place && body.find("lambda") != body.npos);
  if (!is_whole) body = body.substr(last + (has_place ? 1 : 2));
  return has_place ? fmt::format("lambda at {}", body) : std::string{body};
}

}  // namespace

std::string name_in(std::string_view signature) {
  constexpr std::string_view before = "Kernel = ";
  const std::size_t from = signature.find(before);
  if (from == std::string_view::npos) return "loop";
  std::string_view name = signature.substr(from + before.size());
  constexpr std::string_view value = "lambda_body<";
  if (const std::size_t at = name.find(value); at != name.npos)
    return name_of_lambda(name.substr(at + value.size()));
  name = name.substr(0, name.find_first_of("];"));
  const std::size_t last = name.substr(0, name.find('<')).rfind("::");
  return std::string{last == std::string_view::npos ? name : name.substr(last + 2)};
}

}  // namespace yoke::detail
