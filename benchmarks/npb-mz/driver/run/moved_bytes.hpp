#pragma once
/// Bytes that moved between memories in the timed loop.

#include "driver/step/account.hpp"
#include "result.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include <yoke/runtime.hpp>

namespace npb {

/// By (from, to).
using byte_counts = std::map<std::pair<int, int>, std::size_t>;

/// That placement has moved until now.
byte_counts counts_of(yoke::runtime& rt);

/// Migrations since `before`, and faces.
void add_bytes(run_result& r, yoke::runtime& rt, const byte_counts& before,
               std::span<const unit_account> accounts);

}  // namespace npb
