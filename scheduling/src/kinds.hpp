#pragma once
/// What a schedule's file tells the list about it.

#include "spec.hpp"

#include <memory>
#include <span>

#include <yoke/scheduling.hpp>

namespace yoke::scheduling {

/// One schedule of the list: what --help says and how one is made from its options. `make` reads the options
/// before it looks at the workload; both have been checked.
struct schedule_kind {
  schedule_info info;
  std::unique_ptr<schedule> (*make)(const schedule_options& options, const workload& work,
                                    std::span<const unit> units);
};

/// Errors: usage_error, see make.
void check_problem(const workload& work, std::span<const unit> units);

}  // namespace yoke::scheduling
