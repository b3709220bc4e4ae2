#pragma once
/// What tests of an engine tell it.

#include "fixture.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace engine_tests {

using yoke::flow::argument;
using yoke::flow::completion;
using yoke::flow::lane_id;
using yoke::flow::plan;
using yoke::flow::role;
using yoke::flow::site;
using yoke::versions::piece;

inline std::shared_ptr<const plan> doing(std::string name, std::function<void(const site&)> run) {
  return std::make_shared<plan>(plan{std::move(name), std::move(run)});
}
inline const auto nothing = doing("nothing", [](const site&) {});

/// On a seat: all numbers of its first argument become `value`.
inline std::shared_ptr<const plan> filling(std::int64_t value) {
  return doing("fill", [value](const site& at) {
    std::fill_n(static_cast<std::int64_t*>(at.addresses[0]), n_numbers, value);
  });
}

inline completion tell(node& on, lane_id where, const std::shared_ptr<const plan>& what,
                       std::vector<argument> arguments = {}, std::vector<completion> after = {}) {
  return on.engine->enqueue(where, what, arguments, after);
}

inline std::string error_of(const completion& end) {
  try {
    end.wait();
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return "(nothing was thrown)";
}

inline constexpr yoke::space_id first_gpu{1}, second_gpu{2};

}  // namespace engine_tests
