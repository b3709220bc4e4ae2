#pragma once
/// Loops of more tasks than the host has memory for.

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

#include <yoke/schedule.hpp>

namespace yoke::detail {

/// What a loop, with its schedule, keeps of its tasks, at least.
class loop_memory {
 public:
  /// Errors: out_of_memory with the number of tasks, where so many cannot be kept. What is wrong with a
  /// number below 0 is said elsewhere.
  explicit loop_memory(const workload& work);
  /// What `make` gives; that there was no memory for it is told as above.
  template <class Make>
  auto in_it(const Make& make) const {
    try {
      return make();
    } catch (const std::bad_alloc&) {
      refuse();
    } catch (const std::length_error&) {
      refuse();
    }
  }

 private:
  [[noreturn]] void refuse() const;

  int n_tasks_;
  std::string name_;
  std::size_t bytes_;
};

}  // namespace yoke::detail
