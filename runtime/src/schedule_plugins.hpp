#pragma once
/// Schedules of shared objects.

#include <yoke/settings.hpp>

namespace yoke::detail {

/// Where `spec` names one, "./mine.so:name", loads it and registers what it offers, for as long as the
/// process lives. Thread-safe. Errors: config_error naming the value and its origin.
void load_named_schedule(const sourced& spec);

}  // namespace yoke::detail
