#pragma once
/// Options of programs that take a number.

#include <CLI/CLI.hpp>
#include <string>

#include <yoke/number_range.hpp>

namespace record {

/// For CLI::Option::check: what is no number, or outside, is refused with what is accepted. CLI::Range lets
/// NaN through, which is neither below nor above anything.
inline CLI::Validator number_in(yoke::detail::number_range range) {
  return {[range](const std::string& value) {
            return range.read(value) ? "" : value + " is not accepted; " + range.accepted();
          },
          range.accepted()};
}
inline CLI::Validator number_in(double least, double most) {
  return number_in({.least = least, .most = most});
}

}  // namespace record
