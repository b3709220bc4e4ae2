#pragma once
/// Tiles that CPU CUs take one by one, of all that they have together.

#include <atomic>
#include <cstdint>

#include <yoke/box.hpp>
#include <yoke/kernel_call.hpp>

namespace yoke::detail {

class shared_tiles {
 public:
  explicit shared_tiles(const any_box& over) : over_{over} {}

  const any_box& over() const { return over_; }
  /// On the CPUs of the calling CPU CU, as long as there are any. `call`: of all tiles.
  void run(const kernel_call& call);

 private:
  any_box over_;
  std::atomic<std::int64_t> next_{0};
};

}  // namespace yoke::detail
