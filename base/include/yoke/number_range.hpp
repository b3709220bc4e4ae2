// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which numbers weights, speeds, rates and times may be, and their one reader.

#include <optional>
#include <string>
#include <string_view>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// What is no number, infinite or denormal is outside of every range. The default ends leave room for what is
/// computed of such numbers: the sum of as many as there are tasks is finite, and so is the quotient of two
/// that are not at opposite ends. Who multiplies or divides what may be at opposite ends makes sure of the
/// result.
struct number_range {
  double least = 1e-200;
  double most = 1e200;
  bool zero = false;  ///< 0 is accepted too, where it means none

  bool has(double value) const { return (value >= least && value <= most) || (zero && value == 0); }
  /// The number that is the whole of `text`, in the C locale; nullopt for what is none, or outside.
  std::optional<double> read(std::string_view text) const;
  /// "a number from 1e-200 to 1e+200", or "0, or a number from …": the end of a message.
  std::string accepted() const;
};

/// Of weights, speeds and rates, of which none is 0.
inline constexpr number_range amounts{};
/// Of what may be nothing: times and costs beside a weight, shares, rates that are not known.
inline constexpr number_range amounts_or_none{.zero = true};
/// Seconds of a batch of tasks, of which schedules learn: squares of them, and of them by moderate weights,
/// are finite too. 0: it was not timed.
inline constexpr number_range batch_times{.least = 1e-40, .most = 1e40, .zero = true};
/// How many times longer something takes: beyond this an event in virtual time comes at no time.
inline constexpr number_range factors{.least = 1e-6, .most = 1e6};
/// Relative deviations: beyond this the moments of what is drawn are not finite.
inline constexpr number_range deviations{.most = 100, .zero = true};

}  // namespace yoke::detail
