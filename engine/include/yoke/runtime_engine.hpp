// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The engine of a runtime: its lanes are the CUs, its pieces the regions.

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <yoke/detail/region_pieces.hpp>
#include <yoke/engine.hpp>
#include <yoke/placed.hpp>
#include <yoke/runtime.hpp>

namespace yoke::flow {

/// What work does with a placed object.
struct placed_argument {
  detail::region_name what;
  role as;
};

/// One for each runtime, made when first asked for; it ends with the runtime, which waits for its work. CPU
/// CUs have a seat each: their threads come from a region that is opened when one of them has work, and
/// closed when none had any for a fifth of a second, or when somebody calls run or each_unit of the runtime.
class runtime_engine {
 public:
  /// A GPU CU takes so many pieces of work side by side.
  static constexpr int queues_of_unit = 4;

  /// Thread-safe. Errors: usage_error in a forked child; device_error.
  static runtime_engine& of(runtime& rt);
  explicit runtime_engine(runtime& rt);
  runtime_engine(const runtime_engine&) = delete;
  runtime_engine& operator=(const runtime_engine&) = delete;

  engine& get() { return *engine_; }
  /// `number` counts the queues of a GPU CU. Errors: usage_error for a CU that does not exist.
  lane_id lane_of(unit_id unit, int number = 0) const;
  space_id memory_of(unit_id unit) const { return rt_.units().at(unit).space; }

  /// engine::enqueue with placed objects, which get memory where the CU finds it. Errors: usage_error in a
  /// parallel region, and as engine::enqueue; out_of_memory.
  completion enqueue(unit_id on, std::shared_ptr<const plan> what, std::span<const placed_argument> arguments,
                     std::span<const completion> after = {});
  /// engine::tell in the same way. `at`, where there is one, gets where the arguments are in that memory.
  completion tell(lane_id on, space_id memory, std::shared_ptr<const plan> what,
                  std::span<const placed_argument> arguments, const order& where,
                  std::function<void(const std::exception_ptr&)> when_over = {},
                  std::vector<void*>* at = nullptr);
  /// engine::tell_failure.
  completion tell_failure(std::string name, const std::exception_ptr& why,
                          std::span<const placed_argument> arguments, std::span<const completion> behind,
                          std::function<void(const std::exception_ptr&)> when_over);

 private:
  friend class shared_use;
  static engine_options options_of(runtime& rt);

  runtime& rt_;
  const std::unique_ptr<engine> engine_;
};

/// Placed objects that several pieces of work of seats use in an order of their own. While it lives they are
/// held: what is told of the objects begins with `begin`, ends with `end` of each, and nobody else's use
/// comes between. The work itself is told without arguments, behind `begin`, before each `end`.
class shared_use {
 public:
  /// Errors: as runtime_engine::tell.
  shared_use(runtime_engine& of, std::span<const placed_argument> objects);
  ~shared_use();
  shared_use(const shared_use&) = delete;
  shared_use& operator=(const shared_use&) = delete;

  struct state {
    void* address = nullptr;      ///< on the host
    std::exception_ptr error{};   ///< with which it is broken
    versions::mark_ptr writer{};  ///< whose error that is, too; null where that is known
  };
  /// What is read has come to the host behind the result, and all that uses the objects is over. `states`
  /// gets what is known of each. Errors: usage_error where nobody has written what is read.
  completion begin(const std::string& name, std::vector<state>& states);
  /// Whoever uses the object later comes behind `what`, and fails with it.
  completion end(lane_id on, std::size_t object, std::shared_ptr<const plan> what, const order& where,
                 std::function<void(const std::exception_ptr&)> when_over);

 private:
  struct held;

  runtime_engine& of_;
  const std::unique_ptr<held> held_;
};

}  // namespace yoke::flow
