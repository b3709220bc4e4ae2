#pragma once
/// Kernels of tasks.

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <yoke/tasks.hpp>

namespace task_tests {

using number = std::int64_t;
using numbers = yoke::placed<number>;
inline constexpr std::size_t n = 64;

struct bad_luck : std::runtime_error {
  explicit bad_luck(const std::string& what = "bad luck") : std::runtime_error{what} {}
};

/// y = 31 y + factor x.
yoke::task add(yoke::task_starter& on, const numbers& x, numbers& y, number factor,
               const yoke::task_options& options = {});
/// x = value.
yoke::task fill(yoke::task_starter& on, numbers& x, number value, const yoke::task_options& options = {});
/// The same of a body that runs on any CU.
void fill_in(yoke::task_context& me, yoke::device_ptr<number> x, number value);
void add_in(yoke::task_context& me, yoke::device_ptr<const number> x, yoke::device_ptr<number> y,
            number factor);

/// x += k.
void add_one(yoke::task_context& me, yoke::device_ptr<number> x, number k);
/// A task that adds to `sum` side by side with others, and then counts.
yoke::task contribute(yoke::task_starter& on, yoke::placed<double>& sum, double mine,
                      const yoke::task_options& options, std::atomic<int>& n_ran);
/// x = 1 where a CPU CU runs it, 2 where a GPU CU does.
yoke::task fill_by_kind(yoke::task_starter& on, numbers& x, const yoke::task_options& options = {});
/// Launches a kernel for the kind of CU that the body has not.
void fill_elsewhere(yoke::task_context& me, yoke::device_ptr<number> x);
/// Whether the test is to be skipped, which that says: faults are those of emulated devices.
bool lacks_emulated_devices(const yoke::runtime& rt);

/// reduce<yoke::plus>(x) and reduce<yoke::largest>(x), whose kernels a GPU's compiler has to see.
yoke::detail::placed_role<number> adds_to(numbers& x);
yoke::detail::placed_role<number> raises(numbers& x);

}  // namespace task_tests
