#pragma once
/// Work on the CUs of a runtime.

#include "step_kernel.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <yoke/runtime_engine.hpp>
#include <yoke/yoke.hpp>

namespace engine_tests {

using yoke::unit_id;
using yoke::flow::completion;
using yoke::flow::placed_argument;
using yoke::flow::plan;
using yoke::flow::role;
using yoke::flow::runtime_engine;
using yoke::flow::site;
using object = yoke::placed<std::int64_t>;

inline constexpr std::size_t n = 64;

inline std::shared_ptr<const plan> doing(std::string name, std::function<void(const site&)> what) {
  return std::make_shared<plan>(plan{std::move(name), std::move(what)});
}

/// Each number becomes what follows from those that are read, in place.
inline std::shared_ptr<const plan> step(unsigned reads, unsigned writes, std::int64_t number) {
  return doing("step", [=](const site& at) {
    engine_tests::step_call call{.at = {},
                                 .n = static_cast<int>(at.addresses.size()),
                                 .reads = reads,
                                 .writes = writes,
                                 .number = number};
    for (int k = 0; k < call.n; ++k)
      call.at[k] = yoke::device_ptr<std::int64_t>{
          static_cast<std::int64_t*>(at.addresses[static_cast<std::size_t>(k)])};
    if (at.dev != nullptr) return engine_tests::launch_step(*at.dev, at.stream, n, call);
    for (std::size_t i = 0; i < n; ++i) call.run(static_cast<std::int64_t>(i));
  });
}

inline placed_argument use(object& x, role as) {
  return {yoke::detail::named(yoke::runtime::current().memory(), *x.use().region), as};
}

inline completion tell(runtime_engine& on, int unit, std::shared_ptr<const plan> what,
                       std::vector<placed_argument> arguments = {}, std::vector<completion> after = {}) {
  return on.enqueue(unit_id{unit}, std::move(what), arguments, after);
}

}  // namespace engine_tests
