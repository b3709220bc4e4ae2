// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What messages call a type.

#include <string_view>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// "double" of the signature "… [T = double]" or "… [with T = double; …]", as compilers write one.
constexpr std::string_view type_in(std::string_view signature) {
  constexpr std::string_view before = "T = ", hidden = "(anonymous namespace)::";
  const std::size_t from = signature.find(before);
  if (from == std::string_view::npos) return {};
  std::string_view type = signature.substr(from + before.size());
  type = type.substr(0, type.find_first_of("];"));
  if (type.starts_with(hidden)) type.remove_prefix(hidden.size());
  return type;
}

/// The text lives as long as the program.
template <class T>
constexpr std::string_view type_name() {
  return type_in(__PRETTY_FUNCTION__);
}

}  // namespace yoke::detail
