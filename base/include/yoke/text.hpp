// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Text of others (paths, names of processes, threads and kernels, variables, what programs print) may hold
/// any bytes. What is made of it here can be put into JSON, and shown.

#include <cstddef>
#include <string>
#include <string_view>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// How many bytes the character at `at` has; 0 where none of UTF-8 is there.
std::size_t character_at(std::string_view text, std::size_t at);

/// Valid UTF-8: each byte that is part of no character as \xNN, so that two names that differ still do.
std::string valid_text(std::string_view text);

/// For terminals, on one line: control characters as \xNN too.
std::string printable(std::string_view text);

/// The same for a message, which may have several lines.
std::string printable_lines(std::string_view text);

/// The text of any JSON: never an error of a byte in it, which becomes U+FFFD where no one has made it valid.
/// `indent` as of `dump` of nlohmann's json, which alone is given here.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace yoke::detail
